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
    for file in files {
      let status = await save(file, .shared)
      if status != 0 { exit(status) }
    }
  }

  /// Saves one wallpaper. All that an app has to decide is what to tell the person.
  private static func save(_ file: String, _ manager: PhotoLibraryPermissionManager) async -> CInt {
    do {
      let outcome = try await manager.requestAndSave(
        [MediaItem(.file(file))], purpose: .wallpaper, explain: explain)
      switch outcome {
      case .done(let saved):
        if let error = saved.firstError { throw error }
        print("Saved \(file): \(saved.identifiers.first ?? "")")
        if let guide = saved.guide {
          show(guide)
          try await offerWallpaperSettings(guide, manager)
        }
        return 0
      case .denied(let guide), .restricted(let guide):
        show(guide)
        try await offerSettings(guide, manager)
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

  /// A guide: what to do about a refusal, once, for the next call says the same at once; or with what was saved.
  private static func show(_ guide: Guide) {
    print("\(guide.title)\n\(guide.message)")
    if let heading = guide.heading { print(heading) }
    for (number, step) in guide.steps.enumerated() { print("  \(number + 1). \(step)") }
  }

  /// The way to the settings, for who is at a terminal. What they change there holds for the next call.
  private static func offerSettings(
    _ guide: Guide, _ manager: PhotoLibraryPermissionManager
  ) async throws {
    guard agrees(to: guide) else { return }
    switch try await manager.openSettings() {
    case .opened, .page: break
    case .command(let command): print("In a terminal of your own: \(command)")
    }
  }

  /// The way to the desktop's background settings.
  private static func offerWallpaperSettings(
    _ guide: Guide, _ manager: PhotoLibraryPermissionManager
  ) async throws {
    if agrees(to: guide) { _ = try await manager.openWallpaperSettings(guide) }
  }

  /// Whether who is at the terminal wants what the guide's button does; there is none where no setting helps.
  private static func agrees(to guide: Guide) -> Bool {
    guard isatty(STDIN_FILENO) == 1, let button = guide.openSettings else { return false }
    print("\(button)? [y/N] ", terminator: "")
    return readLine() == "y"
  }
}
