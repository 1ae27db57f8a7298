import LibraryModel
import Testing

@testable import Storage

@Suite("S34: the names of a file with very many, in the index") struct ExtraLinkTests {
  @Test("51, S34: one more name, or one fewer, is one row, however many there are")
  func rows() throws {
    let directory = try StateDirectory()
    let store = try LibraryStore(path: directory.path + "/library.sqlite", boot: "one")
    let files = store.index.files
    try store.begin()
    let id = try files.reserveAssetID()
    let identity = FileIdentity(volume: .unknown, inode: 7, birthTime: 5)
    func name(_ number: Int) -> Location { Location(AlbumID(rawValue: 9), FileName("\(number).jpg")) }
    var asset = Asset(
      id: id, mediaType: .image, identity: identity, byteCount: 1, created: 1, modified: 2, primary: name(0))
    asset.addLinks((1..<500).map(name))
    try files.insert(asset)
    try store.commit()

    /// How many rows are written when the asset has other names.
    func rows(_ change: (inout Asset) -> Void) throws -> Int64 {
      change(&asset)
      try store.begin()
      let before = try store.connection.scalar("SELECT total_changes()")
      try files.update(asset)
      let after = try store.connection.scalar("SELECT total_changes()")
      try store.commit()
      #expect(try files.asset(id)?.links == asset.links)
      return after - before
    }
    #expect(try rows { $0.addLink(name(500)) } == 2, "that of the asset, and the name's")
    #expect(try rows { _ = $0.removeLink(name(250)) } == 2)
    #expect(try rows { $0.byteCount = 3 } == 1)
    // Another one is the first, and was among the others.
    #expect(try rows { _ = $0.removeLink(name(0)) } == 2)
    #expect(
      try rows { asset in
        for number in 1...500 where number != 7 { _ = asset.removeLink(name(number)) }
      } == 499)
    #expect(try rows { $0.byteCount = 4 } == 1, "of one with a single name none is looked for")
    #expect(try store.connection.scalar("SELECT count(*) FROM extraLink") == 0)
  }
}
