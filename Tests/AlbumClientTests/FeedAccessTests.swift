import AlbumAPI
import Testing

@testable import AlbumClient

@Suite("What a feed tells of access")
struct FeedAccessTests {
  @Test(
    "S70: who had access is told once that it is gone, with the last place, and fetches anew when it is back")
  func takenAway() {
    var lost: (subjects: Set<FeedPosition.Subject>, token: PersistentChangeToken)?
    var position = FeedPosition(PersistentChangeToken(both: "t"))
    var access = FeedAccess()
    var told = access.takeRefusal()
    #expect(told == nil)
    let tells = access.refused(.denied, &position)
    told = access.takeRefusal()
    #expect(tells && told?.status == .denied && told?.token.rawValue == "t")
    told = access.takeRefusal()
    #expect(told == nil)
    // Asked again, it is refused again: nothing new.
    let again = access.refused(.denied, &position)
    told = access.takeRefusal()
    #expect(!again && told == nil)
    access.granted(.limited)
    position.advance(.assets, to: "u")
    lost = position.takeLost()
    #expect(lost == nil)
    position.advance(.albums, to: "u")
    lost = position.takeLost()
    #expect(lost?.subjects == [.assets, .albums])
    let grants = [access.takeGrant(), access.takeGrant()]
    #expect(grants == [.limited, nil])
  }

  @Test("S70: who never had access is told nothing before it is granted, and then that")
  func neverThere() {
    var position = FeedPosition(nil)
    var access = FeedAccess()
    let tells = access.refused(.notDetermined, &position)
    let told = access.takeRefusal()
    #expect(!tells && told == nil)
    access.granted(.authorized)
    for subject in FeedPosition.Subject.allCases { position.advance(subject, to: "t") }
    let lost = position.takeLost()
    let grant = access.takeGrant()
    #expect(lost?.subjects == [.assets, .albums] && grant == .authorized)
  }

  @Test("S70: a grant that is taken back before anything came of it is not told")
  func takenBackAtOnce() {
    var position = FeedPosition(nil)
    var access = FeedAccess()
    access.granted(.authorized)
    let tells = access.refused(.denied, &position)
    let told = access.takeGrant()
    #expect(!tells && told == nil)
  }
}
