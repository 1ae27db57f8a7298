/// The sentences of a guide in one language. A language is added by one more entry in `catalogue`.
///
/// Places to fill in: `{app}` the app's name, `{command}` the settings command, `{policy}` the name of the
/// policy, `{count}` a number.
struct GuideText {
  /// The sentences that differ by access level.
  struct Level {
    let title: String
    let denied: String
    let restricted: String
  }

  let addOnly: Level
  let readWrite: Level
  let deniedSteps: [String]
  let restrictedSteps: [String]
  /// What a picker says of photos that the app does not get (rule S23): of one, and of several.
  let inaccessiblePhoto: String
  let inaccessiblePhotos: String
  /// What stands between two sentences.
  let space: String

  subscript(level: AccessLevel) -> Level {
    switch level {
    case .addOnly: addOnly
    case .readWrite: readWrite
    }
  }

  /// By language tag.
  static let catalogue: [String: GuideText] = ["en": english, "zh-Hans": simplifiedChinese]
}

private let english = GuideText(
  addOnly: .init(
    title: "{app} cannot add to your photos",
    denied: "Adding photos was not allowed for {app}. You can change that in the settings.",
    restricted:
      "Adding photos is managed by the administrator of this computer (policy “{policy}”) and cannot be changed here."
  ),
  readWrite: .init(
    title: "{app} has no access to your photos",
    denied: "Access to your photos was not allowed for {app}. You can change that in the settings.",
    restricted:
      "Access to photos is managed by the administrator of this computer (policy “{policy}”) and cannot be changed here."
  ),
  deniedSteps: [
    "Open a terminal as an owner of the photo library.",
    "Run: {command}",
    "Allow what {app} may do.",
    "Return to {app} and try again.",
  ],
  restrictedSteps: [
    "Ask the administrator of this computer to change the policy “{policy}”.",
    "Return to {app} and try again.",
  ],
  inaccessiblePhoto: "1 photo could not be accessed.",
  inaccessiblePhotos: "{count} photos could not be accessed.",
  space: " "
)

private let simplifiedChinese = GuideText(
  addOnly: .init(
    title: "“{app}”无法向你的相册添加照片",
    denied: "你未允许“{app}”添加照片。你可以在设置中更改。",
    restricted: "添加照片的权限由这台电脑的管理员管理（策略“{policy}”），无法在此更改。"
  ),
  readWrite: .init(
    title: "“{app}”无法访问你的照片",
    denied: "你未允许“{app}”访问你的照片。你可以在设置中更改。",
    restricted: "照片的访问权限由这台电脑的管理员管理（策略“{policy}”），无法在此更改。"
  ),
  deniedSteps: [
    "以相册所有者的身份打开终端。",
    "运行：{command}",
    "选择允许“{app}”进行的操作。",
    "返回“{app}”并重试。",
  ],
  restrictedSteps: [
    "请这台电脑的管理员更改策略“{policy}”。",
    "返回“{app}”并重试。",
  ],
  inaccessiblePhoto: "有 1 张照片无法访问。",
  inaccessiblePhotos: "有 {count} 张照片无法访问。",
  space: ""
)
