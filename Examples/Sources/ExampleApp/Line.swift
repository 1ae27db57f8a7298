import AlbumClient

/// What the examples say by themselves: in the person's language, in which the daemon's guides come as well, so that no
/// English line stands above a Chinese guide.
public enum Line {
  /// How it is started.
  case usage(String)
  /// The app's own questions, before the owner is asked.
  case explainWallpapers, explainStickers
  /// A file was saved, and has this id.
  case saved(String, id: String)
  /// So was a sticker of a photo.
  case savedSticker(of: String, id: String)
  /// The owner picked none.
  case nothingPicked
  /// The photo is of a kind that the editor does not know.
  case cannotEdit(String)
  /// No agent of an owner is there, and the owner put it off.
  case nobodyIsThere, notNow
  /// The settings cannot be opened from here: a command does that.
  case ownTerminal(String)

  /// It, as ``PhotoLibrary/language`` has it.
  public var text: String { text(in: Language(PhotoLibrary.shared.language)) }

  func text(in language: Language) -> String {
    let (english, simplified, traditional) = texts
    return switch language {
    case .english: english
    case .simplified: simplified
    case .traditional: traditional
    }
  }

  private var texts: (String, String, String) {
    switch self {
    case .usage(let command): ("Usage: \(command)", "用法：\(command)", "用法：\(command)")
    case .explainWallpapers:
      (
        "To save wallpapers, this app adds photos to your library. Ask for that now?",
        "为了保存壁纸，这个应用会向相册添加照片。现在请求权限吗？",
        "為了儲存桌布，這個應用程式會向相簿新增照片。現在請求權限嗎？"
      )
    case .explainStickers:
      (
        "To save the stickers you make, this app adds photos to your library. Ask for that now?",
        "为了保存你制作的贴纸，这个应用会向相册添加照片。现在请求权限吗？",
        "為了儲存你製作的貼圖，這個應用程式會向相簿新增照片。現在請求權限嗎？"
      )
    case .saved(let file, let id): ("Saved \(file): \(id)", "已保存 \(file)：\(id)", "已儲存 \(file)：\(id)")
    case .savedSticker(let photo, let id):
      ("Saved a sticker of \(photo): \(id)", "已保存 \(photo) 的贴纸：\(id)", "已儲存 \(photo) 的貼圖：\(id)")
    case .nothingPicked: ("No photo was picked.", "没有选择照片。", "沒有選擇照片。")
    case .cannotEdit(let photo):
      (
        "\(photo) is neither a JPEG nor a PNG.", "\(photo) 既不是 JPEG，也不是 PNG。", "\(photo) 既不是 JPEG，也不是 PNG。"
      )
    case .nobodyIsThere:
      (
        "Nobody is there to ask. An owner of the library runs: albumctl agent",
        "没有人可以回答请求。请相册所有者运行：albumctl agent",
        "沒有人可以回答請求。請相簿擁有者執行：albumctl agent"
      )
    case .notNow: ("Not now.", "以后再说。", "以後再說。")
    case .ownTerminal(let command):
      ("In a terminal of your own: \(command)", "请在你自己的终端中运行：\(command)", "請在你自己的終端中執行：\(command)")
    }
  }
}

/// The languages that the examples speak.
enum Language {
  case english, simplified, traditional

  /// Of a tag such as `zh-TW`: where that says no script, the region tells it. English where it is none of these, and
  /// where there is none.
  init(_ tag: String?) {
    let parts = (tag ?? "").lowercased().split(separator: "-")
    let isTraditional =
      !parts.contains("hans") && ["hant", "tw", "hk", "mo"].contains { parts.contains($0) }
    self = parts.first != "zh" ? .english : isTraditional ? .traditional : .simplified
  }
}
