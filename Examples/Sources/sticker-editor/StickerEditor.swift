import AlbumClient
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
      print("usage: sticker-editor CAPTION")
      exit(2)
    }
    do {
      let manager = PhotoLibraryPermissionManager.shared
      let outcome = try await manager.requestPermissionAndExecute(onDenied: show) {
        try await makeSticker(caption)
      }
      switch outcome {
      case .done(let saved): exit(saved ? 0 : 1)
      case .denied, .restricted: exit(3)
      case .noAgent:
        print("Nobody is there to ask. An owner of the library runs: albumctl agent")
        exit(4)
      case .notNow:
        print("Not now.")
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
      print("No photo was picked.")
      return false
    }
    guard let sticker = Sticker(of: bytes, caption: caption) else {
      print("\(photo.filename) is neither a JPEG nor a PNG.")
      return false
    }
    let (saved, guide) = try await library.performChanges(for: .keep) {
      $0.addPhoto(from: .bytes(sticker.bytes), named: "Sticker of \(photo.filename)")
    }
    print("Saved a sticker of \(photo.filename): \(saved.localIdentifier ?? "")")
    if let guide { await show(guide) }
    return true
  }

  @Sendable private static func show(_ guide: Guide) async {
    print("\(guide.title)\n\(guide.message)")
    if let heading = guide.heading { print(heading) }
    for (number, step) in guide.steps.enumerated() { print("  \(number + 1). \(step)") }
  }
}
