internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct Duplicates: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List photos and videos that have the same content.",
    discussion:
      "One after the other, by their hashes, which are shown to who may know where pictures were taken.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  /// Contents that are asked for at once.
  private static let askedTogether = 50

  func run() throws {
    let connection = try eyes.connect(global)
    let repeated = try repeatedHashes(connection)
    var table = Table(
      .init(Person.texts["ID"]), .init(Person.texts["SIZE"], .trailing), .init(Person.texts["CONTENT"]),
      .init(Person.texts["NAME"]))
    var isAny = false
    for start in stride(from: 0, to: repeated.count, by: Self.askedTogether) {
      let hashes = Array(repeated[start..<min(start + Self.askedTogether, repeated.count)])
      let groups = try self.groups(of: hashes, connection)
      for hash in hashes {
        // Others may have gone meanwhile.
        guard let assets = groups[hash], assets.count > 1 else { continue }
        isAny = true
        if global.json {
          try Output.json(Group(contentHash: hash, assets: assets))
        } else {
          try Output.write(table.lines(of: assets.map(Self.row)))
        }
      }
    }
    guard !global.json else { return }
    if !isAny { Report.note(Person.texts["There are no duplicates."]) }
    if let left = try connection.info().unhashed, left > 0 {
      Report.note(Person.texts["\(Number(left, "photo or video", "photos and videos")) yet to be hashed."])
    }
  }

  /// What several assets hash to, as far as the beginning of a hash tells: of a million assets, that alone is kept.
  private func repeatedHashes(_ connection: AlbumConnection) throws -> [String] {
    var seen: Set<UInt64> = []
    var repeated: Set<String> = []
    var order: [String] = []
    let pages = try connection.assets(.init())
    while let page = try pages.next() {
      for hash in page.assets.lazy.compactMap(\.contentHash) {
        guard let digits = hash.split(separator: ":").last,
          let beginning = UInt64(digits.prefix(16), radix: 16),
          !seen.insert(beginning).inserted, repeated.insert(hash).inserted
        else { continue }
        order.append(hash)
      }
    }
    return order
  }

  /// All assets of some contents.
  private func groups(
    of hashes: [String], _ connection: AlbumConnection
  ) throws -> [String: [LibraryInterface.Asset]] {
    var groups: [String: [LibraryInterface.Asset]] = [:]
    let pages = try connection.assets(.init(contentHashes: hashes))
    while let page = try pages.next() {
      for asset in page.assets { if let hash = asset.contentHash { groups[hash, default: []].append(asset) } }
    }
    return groups
  }

  private static func row(_ asset: LibraryInterface.Asset) -> [String] {
    // As much of it as tells it from others.
    let content = asset.contentHash?.split(separator: ":").last?.prefix(12) ?? ""
    return [asset.id, "\(ByteCount(asset.byteCount))", String(content), asset.filename]
  }

  private struct Group: Encodable {
    let contentHash: String
    let assets: [LibraryInterface.Asset]
  }
}
