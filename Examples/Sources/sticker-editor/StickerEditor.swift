import AlbumClient
import Glibc

/// `sticker-editor CAPTION [NAME]`: picks a photo, puts a caption into it and saves it as a new one.
///
/// Shows the newest photos whose file name contains NAME, and asks which; without a terminal it takes the
/// newest. Exit status: 0 saved, 1 failed, 3 refused, 4 nobody is there to ask, 5 put off.
@main
struct StickerEditor {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let caption = arguments.first, arguments.count <= 2 else {
      print("usage: sticker-editor CAPTION [NAME]")
      exit(2)
    }
    let name = arguments.count == 2 ? arguments.last : nil
    do {
      let manager = PhotoLibraryPermissionManager(level: .readWrite)
      let outcome = try await manager.requestPermissionAndExecute(onDenied: show) {
        try await makeSticker(caption, name)
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
      exit(1)
    }
  }

  /// The editor: a photo in, another one out.
  @Sendable private static func makeSticker(_ caption: String, _ name: String?) async throws -> Bool {
    let library = PhotoLibrary.shared
    let newest = FetchOptions(
      mediaTypes: [.image, .livePhoto], nameContains: name, ascending: false, fetchLimit: 9)
    guard let photo = choose(from: try await library.fetchAssets(with: newest)) else {
      print("There is no such photo that this app may see.")
      return false
    }
    guard let sticker = Sticker(of: try await library.requestImageData(for: photo), caption: caption) else {
      print("\(photo.filename) is neither a JPEG nor a PNG.")
      return false
    }
    let saved = try await library.performChanges {
      $0.addPhoto(from: .bytes(sticker.bytes), named: "Sticker of \(photo.filename)")
    }
    print("Saved a sticker of \(photo.filename): \(saved.localIdentifier ?? "")")
    return true
  }

  private static func choose(from photos: FetchResult<Asset>) -> Asset? {
    guard isatty(STDIN_FILENO) == 1, photos.count > 1 else { return photos.first }
    for (number, photo) in photos.enumerated() { print("  \(number + 1). \(photo.filename)") }
    print("Which? ", terminator: "")
    guard let number = readLine().flatMap({ Int($0) }), photos.indices.contains(number - 1) else {
      return nil
    }
    return photos[number - 1]
  }

  @Sendable private static func show(_ guide: Guide) async {
    print("\(guide.title)\n\(guide.message)")
    for (number, step) in guide.steps.enumerated() { print("  \(number + 1). \(step)") }
  }
}
