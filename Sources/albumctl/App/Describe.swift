internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct Describe: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe", abstract: "Show all that is known of an asset.",
    discussion: "Where it was taken is shown to who may know.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The asset's id (albumctl assets).")
  var id: String

  func run() throws {
    let connection = try eyes.connect(global)
    guard let asset = try connection.page(of: .init(ids: [id], includeHidden: true)).assets.first else {
      throw AlbumError.noSuchAsset(id)
    }
    if global.json { return try Output.json(asset) }
    try Output.facts(asset.facts.map { (Person.texts[$0.name], $0.value) })
  }
}

extension LibraryInterface.Asset {
  /// What is known of it, in the order in which it is shown.
  fileprivate var facts: [(name: String, value: String)] {
    let texts = Person.texts
    let optional: [(String, String?)] = [
      ("Taken", createdLocal), (isDated ? "That is" : "Created", "\(LocalTime(created))"),
      ("Modified", "\(LocalTime(modified))"), ("Pixels", dimensions),
      ("Seconds", durationSeconds.map { "\($0)" }),
      ("Is", subtypes.map { $0.map { texts[$0.rawValue] }.joined(separator: ", ") }),
      ("Place", location.map { "\($0.latitude) \($0.longitude)" + ($0.altitude.map { ", \($0) m" } ?? "") }),
      ("Has a place", location == nil ? hasLocation.map { texts[$0 ? "yes" : "no"] } : nil),
      ("Albums", albums.isEmpty ? nil : albums.joined(separator: " ")),
      ("Files", resources.map(\.rawValue).joined(separator: ", ")), ("Offline", offline ? texts["yes"] : nil),
      ("Content", contentHash),
    ]
    let known = [
      ("Id", id), ("Name", filename), ("Type", texts[mediaType.rawValue]),
      ("Size", "\(ByteCount(byteCount))"),
    ]
    return known + optional.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Such as `4000×3000`; nil where that is not known.
  var dimensions: String? {
    guard let pixelWidth, let pixelHeight else { return nil }
    return "\(pixelWidth)×\(pixelHeight)"
  }
}
