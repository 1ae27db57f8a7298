import Testing

@testable import AlbumClient

@Suite("Where a feed of changes goes on")
struct FeedPositionTests {
  @Test("S26: tokens of both kinds are kept, and written as one")
  func tokens() throws {
    var position = FeedPosition(PersistentChangeToken(both: "t1"))
    #expect(position.token?.rawValue == "t1")
    position.advance(.assets, to: "t2")
    let token = try #require(position.token)
    #expect(token.rawValue == "t2,t1")
    #expect(PersistentChangeToken(rawValue: token.rawValue) == token)
    let resumed = FeedPosition(token)
    #expect(resumed[.assets] == "t2")
    #expect(resumed[.albums] == "t1")
  }

  @Test("what is no token is none", arguments: ["", ",", "a,", ",a", "a,b,c"])
  func none(text: String) { #expect(PersistentChangeToken(rawValue: text) == nil) }

  @Test("S26: no change is told before there is a token to come back with")
  func waiting() {
    var position = FeedPosition(nil)
    #expect(position.wants(.assets) && position.wants(.albums))
    position.advance(.assets, to: "t1")
    #expect(!position.wants(.assets) && position.wants(.albums))
    #expect(position.token == nil)
    position.advance(.albums, to: "t1")
    #expect(position.wants(.assets) && position.wants(.albums))
  }

  @Test("S27: a lost place is told once, when the place to go on from is known")
  func lost() {
    var position = FeedPosition(PersistentChangeToken(both: "old"))
    position.lose(.assets)
    #expect(position[.assets] == nil && position[.albums] == "old")
    #expect(position.takeLost() == nil)
    position.advance(.assets, to: "new")
    let lost = position.takeLost()
    #expect(lost?.subjects == [.assets])
    #expect(lost?.token.rawValue == "new,old")
    #expect(position.takeLost() == nil)
  }
}
