import Authorization
import Testing
import TestSupport

/// Random apps that come and go: what is found is what a look at all of them finds.
@Suite("Apps, found by what an owner names")
struct AppIndexTests {
  private static let paths = ["/usr/bin/one", "/usr/bin/one-more", "/opt/%23"]
  private static let ids =
    ["org.example.One", "org.example.Two"]
    + paths.flatMap { path in (1...3).map { "\(path)#2049:\($0)" } }

  @Test("R6: an index finds the same as a look at each of them", arguments: 0..<32)
  func same(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var apps: Set<AppKey> = []
    var index = AppIndex()
    for _ in 0..<300 {
      let uid = UInt32.random(in: 1000..<1004, using: &random)
      let app = AppKey(uid: uid, appID: Self.ids.randomElement(using: &random) ?? "")
      if Bool.random(using: &random) {
        apps.insert(app)
        index.insert(app)
      } else {
        apps.remove(app)
        index.remove(app)
      }
      #expect(index.users == Set(apps.map(\.uid)))
      for id in Self.ids {
        #expect(index.users(of: id) == Set(apps.lazy.filter { $0.appID == id }.map(\.uid)))
      }
      for path in Self.paths + ["org.example.One", "/usr/bin"] {
        let found = Set(apps.lazy.map(\.appID).filter { $0.hasPrefix("\(path)#") })
        #expect(index.ids(at: path) == found)
      }
    }
  }
}
