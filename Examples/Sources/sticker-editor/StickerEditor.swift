import AlbumClient
import ExampleApp
import Glibc

/// `sticker-editor CAPTION`: has the owner pick a photo, puts a caption into it and saves it as a new one.
///
/// It needs no right to read: what the owner picks is all that it gets. Exit status: 0 saved, 1 failed,
/// 3 refused, 4 nobody is there to ask, 5 put off.
@main
struct StickerEditor {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let caption = arguments.first, arguments.count == 1 else {
      print(Line.usage("sticker-editor CAPTION").text)
      exit(2)
    }
    do {
      let manager = PhotoLibraryPermissionManager.shared
      let outcome = try await manager.requestPermissionAndExecute(
        explain: { Person.agrees(to: .explainStickers) }, { try await makeSticker(caption) })
      switch outcome {
      case .done(let saved): exit(saved ? 0 : 1)
      case .denied(let guide), .restricted(let guide):
        try await Person.show(refusal: guide, manager)
        exit(3)
      case .noAgent:
        print(Line.nobodyIsThere.text)
        exit(4)
      case .notNow:
        print(Line.notNow.text)
        exit(5)
      }
    } catch {
      print("\(error)")
      for line in (error as? AlbumError)?.advice ?? [] { print("  \(line)") }
      // Also for the picker somebody must be there.
      exit((error as? AlbumError)?.code == .noAgent ? 4 : 1)
    }
  }

  /// The editor: a photo in, another one out.
  @Sendable private static func makeSticker(_ caption: String) async throws -> Bool {
    let library = PhotoLibrary.shared
    guard let photo = try await library.pick(mediaTypes: [.image, .livePhoto], selectionLimit: 1).first,
      let bytes = try await photo.loadData()
    else {
      print(Line.nothingPicked.text)
      return false
    }
    guard let sticker = Sticker(of: bytes, caption: caption) else {
      print(Line.cannotEdit(photo.filename).text)
      return false
    }
    let (saved, guide) = try await library.performChanges(for: .keep) {
      $0.addPhoto(from: .bytes(sticker.bytes), named: "Sticker of \(photo.filename)")
    }
    print(Line.savedSticker(of: photo.filename, id: saved.localIdentifier ?? "").text)
    if let guide { Person.show(guide) }
    return true
  }
}
