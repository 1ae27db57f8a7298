import AlbumAPI
import Testing

@testable import AlbumWeb

@Suite("Albums in albums (S63)")
struct AlbumTreeTests {
  private let tree = AlbumTree([
    album("ridge", in: "walks"), album("garden"), album("walks"), album("top", in: "ridge"),
    album("lost", in: "elsewhere"),
  ])

  private static func album(_ id: String, in parent: String? = nil) -> LibraryInterface.Album {
    .init(id: id, title: id, parent: parent, assetCount: 1, shared: false, createdByCaller: false)
  }

  @Test("Each album stands beneath that in which it lies, in its order")
  func lines() {
    let lines = tree.lines.map { "\($0.album.id) \($0.depth)" }
    #expect(lines == ["garden 0", "walks 0", "ridge 1", "top 2", "lost 0"])
  }

  @Test("An album brings those in it, deeper ones included")
  func beneath() {
    #expect(Set(tree.beneath("walks").map(\.id)) == ["ridge", "top"])
    #expect(tree.beneath("garden").isEmpty && tree.beneath("none").isEmpty)
  }
}
