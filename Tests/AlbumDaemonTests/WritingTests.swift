import AlbumAPI
import EventLoop
import Glibc
import LibraryModel
import LibraryIO
import LoopTesting
import Storage
import TestSupport
import Testing
import Varlink

@testable import AlbumDaemon

@Suite("Assets that are written from the row")
struct WritingTests {
  init() { LoopThread.start() }

  @Test("what is written is the text of the interface's value, whatever the name")
  func sameText() async throws {
    let directory = try TemporaryDirectory()
    try await sameText(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func sameText(_ path: String) async throws {
    let names = ["plain.jpg", "\"quoted\"\\.jpg", "umlaut-ü-\u{1F4F7}.jpg", "line\nfeed.jpg", "clip.mov"]
    let library = try PhotoLibrary(path, names.map { "photos/\($0)" })
    #expect(link("\(path)/photos/plain.jpg", "\(path)/photos/another name.jpg") == 0)
    try await library.start()
    let renderer = LibraryRenderer(store: library.store, monitor: library.monitor)
    var assets = try library.store.assets.fetch(AssetQuery(), limit: 100).assets
    #expect(assets.count == names.count)
    // No file system of the tests takes this name.
    assets.append(Self.renamed(assets[0], FileName([0x41, 0xFF, 0x25, 0x42])))
    assets += try Self.described(assets[0])
    for (asset, location) in assets.flatMap({ [($0, true), ($0, false)] }) {
      var writer = JSONWriter()
      renderer.write(asset, in: .everything, location: location, to: &writer)
      let written = String(decoding: writer.finish(), as: UTF8.self)
      let value = try JSONEncoding.encode(renderer.asset(asset, in: .everything, location: location))
      #expect(written == String(decoding: value, as: UTF8.self))
    }
  }

  /// The same with all that a file can say, and with little.
  private static func described(_ asset: Asset) throws -> [Asset] {
    let place = try #require(FileDescription.Place(latitude: -33.859817, longitude: 151.2, altitude: 58.5))
    let all = FileDescription(
      takenLocal: 1_714_566_615_250_000, takenOffset: -570, pixelWidth: 6000, pixelHeight: 4000,
      duration: 2_500_000, subtypes: [.panorama, .hdr, .raw], place: place)
    let little = FileDescription(
      takenLocal: 1_714_566_615_000_000, takenOffset: nil, pixelWidth: nil, pixelHeight: nil, duration: nil,
      subtypes: [], place: .init(latitude: 0, longitude: 0, altitude: nil))
    return try [all, little].map { said in
      var described = asset
      described.description = try #require(AssetDescription(said, movie: nil) { _ in 3600 })
      return described
    }
  }

  private static func renamed(_ asset: Asset, _ name: FileName) -> Asset {
    Asset(
      id: asset.id, mediaType: .livePhoto, identity: asset.identity, byteCount: asset.byteCount,
      created: -1, modified: .max, primary: Location(asset.primary.directory, name))
  }
}
