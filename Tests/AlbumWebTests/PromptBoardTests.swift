import AlbumAPI
import Testing

@testable import AlbumWeb

@Suite("The prompt that open pages show")
struct PromptBoardTests {
  private func prompt(_ id: String) -> AgentInterface.Prompt {
    .init(
      id: id, kind: .authorization,
      app: .init(id: "org.example.App", name: "App", icon: nil, verified: true, user: "alice"),
      accessLevel: .readWrite, usageDescription: nil, choices: [.allow, .deny, .notNow])
  }

  private func sessions() -> (Session, Session) {
    var source = Counter(9)
    var sessions = Sessions()
    let one = sessions.begin(browser: "One", now: 0, using: &source)
    return (one, sessions.begin(browser: "Other", now: 0, using: &source))
  }

  @Test("S62: what is answered in the first half second was meant for something else")
  func settles() {
    let (one, other) = sessions()
    var board = PromptBoard()
    board.show(prompt("1"))
    #expect(board.verdict(on: "1", from: one, now: 0) == .tooSoon)
    board.shown("1", to: one, now: 1000)
    #expect(board.verdict(on: "1", from: one, now: 500_999) == .tooSoon)
    #expect(board.verdict(on: "1", from: one, now: 501_000) == .send)
    // Another browser has not shown it.
    #expect(board.verdict(on: "1", from: other, now: 501_000) == .tooSoon)
    // To be shown again makes nobody wait again.
    board.shown("1", to: one, now: 600_000)
    #expect(board.verdict(on: "1", from: one, now: 601_000) == .send)
  }

  @Test("S62: a prompt is answered once, and leaves when it was answered elsewhere")
  func once() {
    let (one, _) = sessions()
    var board = PromptBoard()
    board.show(prompt("1"))
    board.shown("1", to: one, now: 0)
    board.send("1")
    #expect(board.verdict(on: "1", from: one, now: 1_000_000) == .gone)
    board.notTaken("1")
    #expect(board.verdict(on: "1", from: one, now: 1_000_000) == .send)
    board.close("1")
    #expect(board.current == nil)
    #expect(board.verdict(on: "1", from: one, now: 1_000_000) == .gone)
  }

  @Test("S62: one at a time, and the next one is not answered by what was meant for the first")
  func next() {
    let (one, _) = sessions()
    var board = PromptBoard()
    board.show(prompt("1"))
    board.show(prompt("2"))
    #expect(board.current?.id == "1")
    board.shown("1", to: one, now: 0)
    board.close("1")
    #expect(board.current?.id == "2")
    board.shown("2", to: one, now: 1_000_000)
    #expect(board.verdict(on: "2", from: one, now: 1_000_001) == .tooSoon)
    board.lost()
    #expect(board.current == nil)
  }

  @Test("S62: what has gone while a page was made takes no room of what is shown")
  func shownTooLate() {
    let (one, _) = sessions()
    var board = PromptBoard()
    board.show(prompt("1"))
    for number in 0..<PromptBoard.limit { board.shown("gone\(number)", to: one, now: 0) }
    board.shown("1", to: one, now: 0)
    #expect(board.verdict(on: "1", from: one, now: 500_000) == .send)
  }

  @Test("S62: no more prompts than a page can hold")
  func bounded() {
    var board = PromptBoard()
    for number in 0..<1000 { board.show(prompt("\(number)")) }
    #expect(board.prompts.count == PromptBoard.limit)
  }
}
