import AlbumAPI
import Foundation
import TestSupport
import Testing
import Varlink

@Suite("Live photos that albumctl saves to files, and adds", .blocking)
struct LivePhotoCommandTests {
  /// A library with a live photo, a directory to save to, and an app.
  private func host() throws -> Host {
    let host = try Host {
      try $0.add("IMG_1.HEIC", Photo.jpeg("still"))
      try $0.add("IMG_1.MOV", Photo.mp4)
      try $0.makeAlbum("../out")
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  /// What is in the directory.
  private func saved(_ host: Host) throws -> [String: [UInt8]] {
    let directory = host.library.path("../out")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, [UInt8](try Data(contentsOf: URL(filePath: "\(directory)/\($0)"))))
      })
  }

  /// The app picks this one.
  private func pick(_ host: Host, _ id: String, _ options: String...) throws -> CommandOutcome {
    let agent = try host.agent()
    let command = try host.begin(
      ["pick", "-o", host.library.path("../out")] + options, as: .wallpapers)
    try agent.answer(agent.prompt(), .init(decision: .allow, assets: [id]))
    return try command.outcome()
  }

  @Test("S23: pick -o saves both files of a live photo, under their own names")
  func pick() throws {
    let host = try host()
    let id = try host.owner().asset("IMG_1.HEIC").id
    let out = host.library.path("../out")
    let picked = try pick(host, id)
    #expect(picked.status == 0)
    #expect(picked.lines == ["\(id)  \(out)/IMG_1.HEIC", "\(id)  \(out)/IMG_1.MOV"])
    #expect(try saved(host) == ["IMG_1.HEIC": Photo.jpeg("still"), "IMG_1.MOV": Photo.mp4])
    // Both names get the number, or they would be no pair.
    let again = try pick(host, id, "--json")
    #expect(again.output.contains("\(out)/IMG_1 (2).HEIC") && again.output.contains("\(out)/IMG_1 (2).MOV"))
    let names = ["IMG_1 (2).HEIC", "IMG_1 (2).MOV", "IMG_1.HEIC", "IMG_1.MOV"]
    #expect(try saved(host).keys.sorted() == names)
  }

  @Test("export calls both files of a live photo as the library does")
  func export() throws {
    let host = try host()
    let id = try host.owner().asset("IMG_1.HEIC").id
    let exported = try host.albumctl("export", id, host.library.path("../out"), as: .wallpapers)
    #expect(exported.status == 0)
    #expect(try saved(host) == ["IMG_1.HEIC": Photo.jpeg("still"), "IMG_1.MOV": Photo.mp4])
  }

  @Test(
    "S31: save --live-photo leaves the movie its extension, if it is one of a pair",
    arguments: [
      ("MOV", "MOV"), ("mp4", "mp4"), ("Mp4", "Mp4"), ("film", "mp4"),
    ])
  func save(_ given: String, kept: String) throws {
    let host = try host()
    let files = [
      try host.library.add("../new.JPG", Photo.jpeg("new")),
      try host.library.add("../film.\(given)", Photo.mp4),
    ]
    let added = try host.albumctl(["save", "--live-photo"] + files, as: .wallpapers)
    #expect(added.status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: host.library.path("Saved"))
    #expect(names.sorted() == ["new.JPG", "new.\(kept)"].sorted())
    #expect(try host.owner().asset("new.JPG").mediaType == .livePhoto)
  }
}
