import AlbumClient
import ExampleApp
import Glibc

/// `wallpaper-saver FILE...`: saves wallpapers to the photo library. It may add photos and never sees one.
///
/// Exit status: 0 saved, 1 failed, 3 refused, 4 nobody is there to ask, 5 put off.
@main
struct WallpaperSaver {
  static func main() async {
    let files = CommandLine.arguments.dropFirst()
    guard !files.isEmpty else {
      print(Line.usage("wallpaper-saver FILE...").text)
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
        [MediaItem(.file(file))], purpose: .wallpaper, explain: { Person.agrees(to: .explainWallpapers) })
      switch outcome {
      case .done(let saved):
        if let error = saved.firstError { throw error }
        print(Line.saved(file, id: saved.identifiers.first ?? "").text)
        if let guide = saved.guide {
          Person.show(guide)
          // The way to the desktop's background settings.
          if Person.wantsSettings(of: guide) { _ = try await manager.openWallpaperSettings(guide) }
        }
        return 0
      case .denied(let guide), .restricted(let guide):
        try await Person.show(refusal: guide, manager)
        return 3
      case .noAgent:
        print(Line.nobodyIsThere.text)
        return 4
      case .notNow:
        print(Line.notNow.text)
        return 5
      }
    } catch {
      print("\(file): \(error)")
      for line in (error as? AlbumError)?.advice ?? [] { print("  \(line)") }
      return 1
    }
  }
}
