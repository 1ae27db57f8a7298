/// What a manifest says about an app.
struct AppDescription {
  var id: String
  /// Its program's name in the library's `bin`.
  var program: String
  var name = "Test"
  var chineseName = "测试"
  var describesAdding = true
  var describesReading = true
  var describesLocation = false
  var manages = false
  var picksAutomatically = false

  /// Asks for both levels.
  static let wallpapers = AppDescription(
    id: "org.example.Wallpapers", program: "wallpapers", name: "Wallpapers", chineseName: "壁纸")
  /// Asks for both levels, and for where photos were taken.
  static let map = AppDescription(
    id: "org.example.Map", program: "map", name: "Map", chineseName: "地图", describesLocation: true)
  /// Asks for both levels too.
  static let mail = AppDescription(id: "org.example.Mail", program: "mail", name: "Mail", chineseName: "邮件")

  /// What it tells the owner, in English.
  static let reason = "Shows your photos on the desktop."
  static let locationReason = "Shows your photos on a map."
  static let chineseReason = "需要访问相册"

  func manifest(executable: String) -> String {
    var lines = [
      "name: {en: \(name), zh-Hans: \(chineseName)}",
      "identity: {executable: \(executable)}",
      "manages: \(manages)",
      "automaticLimitedPicker: \(picksAutomatically)",
    ]
    var usage: [String] = []
    if describesAdding { usage.append("addOnly: {en: Saves what you choose.}") }
    if describesReading {
      usage.append("readWrite: {en: \"\(Self.reason)\", zh-Hans: \(Self.chineseReason)}")
    }
    if describesLocation { usage.append("location: {en: \"\(Self.locationReason)\"}") }
    if !usage.isEmpty { lines.append("usage: {\(usage.joined(separator: ", "))}") }
    return lines.joined(separator: "\n") + "\n"
  }
}
