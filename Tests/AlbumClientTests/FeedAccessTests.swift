import Testing

@testable import AlbumClient

@Suite("What a feed tells of access")
struct FeedAccessTests {
  @Test(
    "S70: who had access is told once that it is gone, with the last place, and fetches anew when it is back")
  func takenAway() throws {
    var position = FeedPosition(PersistentChangeToken(both: "t"))
    var access = FeedAccess()
    #expect(access.takeRefusal() == nil)
    #expect(access.refused(.denied, &position))
    let told = try #require(access.takeRefusal())
    #expect(told.status == .denied && told.token.rawValue == "t")
    #expect(access.takeRefusal() == nil)
    // Asked again, it is refused again: nothing new.
    let again = access.refused(.denied, &position)
    #expect(!again && access.takeRefusal() == nil)
    access.granted(.limited)
    position.advance(.assets, to: "u")
    #expect(position.takeLost() == nil)
    position.advance(.albums, to: "u")
    #expect(position.takeLost()?.subjects == [.assets, .albums])
    #expect(access.takeGrant() == .limited)
    #expect(access.takeGrant() == nil)
  }

  @Test("S70: who never had access is told nothing before it is granted, and then that")
  func neverThere() {
    var position = FeedPosition(nil)
    var access = FeedAccess()
    let tells = access.refused(.notDetermined, &position)
    #expect(!tells && access.takeRefusal() == nil)
    access.granted(.authorized)
    for subject in FeedPosition.Subject.allCases { position.advance(subject, to: "t") }
    #expect(position.takeLost()?.subjects == [.assets, .albums])
    #expect(access.takeGrant() == .authorized)
  }

  @Test("S70: a grant that is taken back before anything came of it is not told")
  func takenBackAtOnce() {
    var position = FeedPosition(nil)
    var access = FeedAccess()
    access.granted(.authorized)
    let tells = access.refused(.denied, &position)
    #expect(!tells && access.takeGrant() == nil)
  }
}
