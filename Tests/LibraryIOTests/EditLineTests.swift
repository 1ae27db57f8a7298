import Testing

@testable import LibraryIO

/// Edits of a root follow one another, and users take turns (S41, 0149).
@Suite("Edits that wait for a root")
struct EditLineTests {
  /// A line in which one edit is under way, and as many of user 1 wait as may.
  private static func full() -> EditLine<String> {
    var line = EditLine<String>()
    #expect(line.enter("first", of: 1, isBounded: true, keepsOthers: false) == .first)
    for number in 0..<64 {
      #expect(line.enter("\(number)", of: 1, isBounded: true, keepsOthers: false) == .waits)
    }
    return line
  }

  @Test("S41: beyond a user's sixty-four edits its own are refused, and nobody else's")
  func bound() {
    var line = Self.full()
    #expect(line.enter("too many", of: 1, isBounded: true, keepsOthers: false) == .refused)
    #expect(line.enter("other", of: 2, isBounded: true, keepsOthers: false) == .waits)
    // Whoever has had its turn has left its place.
    #expect(line.leave() == "0")
    #expect(line.enter("again", of: 1, isBounded: true, keepsOthers: false) == .waits)
    #expect(line.enter("too many", of: 1, isBounded: true, keepsOthers: false) == .refused)
  }

  @Test("S41: who comes behind a user that fills the line waits for the edit under way and one more of it")
  func turns() {
    var line = Self.full()
    for name in ["a", "b"] {
      #expect(line.enter(name, of: 2, isBounded: true, keepsOthers: false) == .waits)
    }
    #expect(line.enter("c", of: 3, isBounded: true, keepsOthers: false) == .waits)
    #expect((0..<6).map { _ in line.leave() } == ["0", "a", "c", "1", "b", "2"])
    #expect((3..<64).map { _ in line.leave() } == (3..<64).map { "\($0)" }, "each user's in its order")
    #expect(line.leave() == nil && !line.isBusy)
    #expect(line.enter("new", of: 1, isBounded: true, keepsOthers: false) == .first)
  }

  @Test("S41: who keeps another line waiting goes before its user's others, and before nobody else's turn")
  func keepsOthers() {
    var line = Self.full()
    #expect(line.enter("other", of: 2, isBounded: true, keepsOthers: false) == .waits)
    #expect(line.enter("keeper", of: 1, isBounded: true, keepsOthers: true) == .waits)
    #expect((0..<4).map { _ in line.leave() } == ["keeper", "other", "0", "1"])
  }

  @Test("where a root answers, nobody is refused")
  func answering() {
    var line = Self.full()
    #expect(line.enter("one more", of: 1, isBounded: false, keepsOthers: false) == .waits)
  }
}
