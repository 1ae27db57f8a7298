import AlbumClient
import Glibc

/// `wallpaper-saver FILE...`: saves wallpapers to the photo library. It may add photos and never sees one.
///
/// Exit status: 0 saved, 1 failed, 3 refused, 4 nobody is there to ask, 5 put off.
@main
struct WallpaperSaver {
  static func main() async {
    let files = CommandLine.arguments.dropFirst()
    guard !files.isEmpty else {
      print("usage: wallpaper-saver FILE...")
      exit(2)
    }
    let manager = PhotoLibraryPermissionManager(level: .addOnly)
    for file in files {
      let status = await save(file, manager)
      if status != 0 { exit(status) }
    }
  }

  /// Saves one wallpaper. All that an app has to decide is what to tell the person.
  private static func save(_ file: String, _ manager: PhotoLibraryPermissionManager) async -> CInt {
    do {
      switch try await manager.saveImage(.file(file), explain: explain) {
      case .done(let id):
        print("Saved \(file): \(id)")
        return 0
      case .denied(let guide), .restricted(let guide):
        show(guide)
        return 3
      case .noAgent:
        print("Nobody is there to ask. An owner of the library runs: albumctl agent")
        return 4
      case .notNow:
        print("Not now.")
        return 5
      }
    } catch {
      print("\(file): \(error)")
      for line in (error as? AlbumError)?.advice ?? [] { print("  \(line)") }
      return 1
    }
  }

  /// The app's own question, before the owner is asked the one time there is. Without a terminal there is
  /// nobody to explain anything to.
  @Sendable private static func explain() async -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return true }
    print(
      "To save wallpapers, this app adds photos to your library. Ask for that now? [y/N] ", terminator: "")
    return readLine() == "y"
  }

  /// A refusal: what to do about it, once. The next call says the same at once, so there is no need to ask
  /// again and again.
  private static func show(_ guide: Guide) {
    print("\(guide.title)\n\(guide.message)")
    for (number, step) in guide.steps.enumerated() { print("  \(number + 1). \(step)") }
  }
}
