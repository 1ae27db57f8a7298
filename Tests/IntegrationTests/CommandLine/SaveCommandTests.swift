import AlbumAPI
import Foundation
import TestSupport
import Testing
import Varlink

@Suite("albumctl save", .blocking)
struct SaveCommandTests {
  /// A library, an app that may see and add everything, and files of its own.
  private func host(_ level: AuthorizationInterface.AccessLevel? = .readWrite) throws -> Host {
    let host = try Host { library in
      for name in ["one", "two"] {
        try library.add("../\(name).jpg", Photo.jpeg(name))
        try library.add("../\(name).mov", Photo.mp4)
      }
      try library.add("../note.jpg", Array("no photo".utf8))
      try library.makeAlbum("Trip")
    }
    if let level { try host.set(.wallpapers, .authorized, level) }
    return host
  }

  private func save(_ host: Host, _ names: [String], _ options: String...) throws -> CommandOutcome {
    try host.albumctl(["save"] + options + names.map { host.library.path("../\($0)") }, as: .wallpapers)
  }

  @Test("S31: --live-photo makes one asset of each photo and the movie behind it, and export two files of it")
  func livePhotos() throws {
    let host = try host()
    let saved = try save(host, ["one.jpg", "one.mov", "two.jpg", "two.mov"], "--live-photo")
    #expect(saved.status == 0 && saved.lines.count == 2)
    let assets = try host.owner().assets()
    #expect(assets.map(\.filename) == ["one.jpg", "two.jpg"] && assets.map(\.id) == saved.words)
    #expect(assets.allSatisfy { $0.mediaType == .livePhoto && $0.resources == [.photo, .pairedVideo] })
    let listed = try host.albumctl("assets", "--type", "livePhoto", as: .wallpapers)
    #expect(listed.status == 0 && listed.output.contains("2 of 2 assets"))

    try host.library.makeAlbum("../export")
    let directory = host.library.path("../export")
    let exported = try host.albumctl("export", saved.words[1], directory, as: .wallpapers)
    #expect(exported.status == 0 && exported.lines.count == 2)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    #expect(files == ["two.jpg", "two.mov"])
    let bytes = try files.map { [UInt8](try Data(contentsOf: URL(filePath: "\(directory)/\($0)"))) }
    #expect(bytes == [Photo.jpeg("two"), Photo.mp4])
  }

  @Test("a photo without its movie is a wrong command line")
  func odd() throws {
    let host = try host()
    let saved = try save(host, ["one.jpg", "one.mov", "two.jpg"], "--live-photo")
    #expect(saved.status == 2 && saved.output.contains("a photo and its movie each"))
    #expect(try host.owner().assets().isEmpty)
  }

  @Test("S31: a pair that is none is named by its photo, the others are kept")
  func noPair() throws {
    let host = try host()
    let files = ["one.mov", "one.jpg", "two.jpg", "two.mov"]
    let saved = try save(host, files, "--live-photo")
    #expect(saved.status == 1 && saved.output.contains("\(host.library.path("../one.mov")) and "))
    #expect(try host.owner().assets().map(\.filename) == ["two.jpg"])

    let told = try save(host, files, "--live-photo", "--json")
    let reply = try told.object(LibraryInterface.AddAssets.Reply.self)
    #expect(told.status == 1 && reply.ids.count == 1 && reply.failures.map(\.item) == [0])
    #expect(reply.failures.map(\.error) == [LibraryInterface.NotMedia.name])
  }

  @Test("S31: what is no photo, or not there, is named, and the others are kept")
  func failures() throws {
    let host = try host()
    let saved = try save(host, ["one.jpg", "note.jpg", "missing.jpg", "two.mov"])
    #expect(saved.status == 1)
    for name in ["note.jpg", "missing.jpg"] {
      #expect(saved.lines.count { $0.hasPrefix("albumctl: \(host.library.path("../\(name)")): ") } == 1)
    }
    #expect(try host.owner().assets().map(\.filename) == ["one.jpg", "two.mov"])
  }

  @Test("--album adds there; one that does not exist is said, and nothing is added")
  func album() throws {
    let host = try host()
    let trip = try host.owner().album("Trip").id
    #expect(try save(host, ["one.jpg"], "--album", trip).status == 0)
    #expect(try host.owner().asset("one.jpg").albums == [trip])
    let nowhere = try save(host, ["two.jpg"], "--album", "nowhere")
    #expect(nowhere.status == 1 && nowhere.output.contains("There is no album nowhere"))
    #expect(try host.owner().assets().count == 1)
  }

  @Test("S32: who may only add gets receipts; S15: who may not has the guide, and the status 3")
  func rights() throws {
    let adding = try host(.addOnly)
    let saved = try save(adding, ["one.jpg", "one.mov"], "--live-photo")
    #expect(saved.status == 0 && saved.words.map { $0.hasPrefix("receipt-") } == [true])
    let asset = try adding.owner().asset("one.jpg")
    #expect(asset.mediaType == .livePhoto && !saved.output.contains(asset.id))

    try adding.set(.wallpapers, .denied, .addOnly)
    let refused = try save(adding, ["two.jpg"])
    #expect(
      refused.status == 3 && refused.output.contains("albumctl settings \(AppDescription.wallpapers.id)"))
    let told = try save(adding, ["two.jpg"], "--json")
    #expect(told.status == 3 && told.output.contains(LibraryInterface.NotAuthorized.name))
    #expect(try adding.owner().assets().count == 1)
  }
}
