import AlbumClient
import Glibc

/// Who is at the terminal. Without one there is nobody to explain anything to, nor to lead anywhere.
public enum Person {
  /// Whether there is somebody.
  public static var isThere: Bool { isatty(STDIN_FILENO) == 1 }

  /// The app's own question, before the owner is asked the one time there is; whether they agree.
  public static func agrees(to question: Line) -> Bool {
    guard isThere else { return true }
    return answersYes(to: "\(question.text) [y/N] ")
  }

  /// A guide: what to do about a refusal, once, for the next call says the same at once; or with what was saved.
  public static func show(_ guide: Guide) {
    print("\(guide.title)\n\(guide.message)")
    if let heading = guide.heading { print(heading) }
    for (number, step) in guide.steps.enumerated() { print("  \(number + 1). \(step)") }
  }

  /// Whether they want what the guide's button does rather than leave it; there is none where no setting helps.
  public static func wantsSettings(of guide: Guide) -> Bool {
    guard isThere, let button = guide.openSettings else { return false }
    let leave = guide.later.map { " [N] \($0)" } ?? ""
    return answersYes(to: "[y] \(button)\(leave): ")
  }

  /// Shows a refusal's guide, and leads to the settings. What is changed there holds for the next call.
  public static func show(refusal guide: Guide, _ manager: PhotoLibraryPermissionManager) async throws {
    show(guide)
    guard wantsSettings(of: guide) else { return }
    switch try await manager.openSettings() {
    case .opened, .page: break
    case .command(let command): print(Line.ownTerminal(command).text)
    }
  }

  private static func answersYes(to question: String) -> Bool {
    print(question, terminator: "")
    fflush(nil)
    return readLine() == "y"
  }
}
