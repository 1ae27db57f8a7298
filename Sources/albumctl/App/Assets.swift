internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Varlink

struct Assets: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "assets", abstract: "List the assets that this app may see.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Option(
    help: ArgumentHelp("Only those in this album (albumctl albums). May be repeated.", valueName: "album-id"))
  var album: [String] = []

  @Option(help: "Only those of this kind. May be repeated.")
  var type: [LibraryInterface.MediaType] = []

  @Option(help: ArgumentHelp("Only those whose name contains this.", valueName: "text"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Only those created then or later: 2026-12-31, RFC 3339, or 7d for a week ago.", valueName: "time"))
  var after: PastTimeArgument?

  @Option(
    help: ArgumentHelp(
      "Only those that their camera says were taken then or later.", valueName: "time"))
  var takenAfter: PastTimeArgument?

  @Option(help: ArgumentHelp("Only those created before.", valueName: "time"))
  var before: PastTimeArgument?

  @Option(
    help: ArgumentHelp(
      "Only those for which this holds: an AssetFilter of io.albumd.Library, in JSON.",
      valueName: "json"))
  var matching: FilterArgument?

  @Option(
    help: ArgumentHelp(
      "Only those whose content is this (sha256:…, as albumctl describe shows it). May be repeated.",
      valueName: "hash"))
  var hash: [String] = []

  @Flag(help: "Only favourites (albumctl favorite).")
  var favorite = false

  @Flag(help: "Hidden ones as well (albumctl hide), for who sees the whole library.")
  var hidden = false

  @Flag(help: "Only hidden ones, for who sees the whole library.")
  var onlyHidden = false

  @Option(
    help: ArgumentHelp(
      "Begins at this time, in the order of created: goes on from there or, with --descending, back.",
      valueName: "time"))
  var takenIn: PastTimeArgument?

  @Option(help: "The order; created when absent, the oldest first.")
  var sort: LibraryInterface.SortKey?

  @Flag(help: "The other way round.")
  var descending = false

  @Option(help: ArgumentHelp("At most so many.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("Leave out so many of the first.", valueName: "count"))
  var offset: Int?

  func validate() throws {
    if takenIn != nil, let sort, sort != .created {
      throw ValidationError("--taken-in is in the order of created: leave --sort out")
    }
    if let offset, offset < 0 { throw ValidationError("--offset takes a number from 0") }
    if let filter = matching, let fault = filter.fault {
      throw ValidationError("--matching: this is wrong: \(fault)")
    }
    if sort == .custom, album.count != 1 { throw ValidationError("--sort custom takes one --album") }
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1") }
  }

  func run() throws {
    let connection = try eyes.connect(global)
    try connection.require(albums: album)
    var listing = AssetListing(asJSON: global.json, isOfDated: takenAfter != nil)
    // A page holds at most 1000.
    if let limit, limit <= 1000, takenAfter == nil {
      try listing.show(try connection.page(of: filter(limit: limit)))
    } else {
      let pages = try connection.assets(filter(limit: nil))
      while let page = try pages.next() {
        try listing.show(page, atMost: limit)
        if let limit, listing.count >= limit { break }
      }
    }
    try listing.finish()
  }

  private func filter(limit: Int?) -> LibraryInterface.FetchAssets.Parameters {
    .init(
      albums: album.isEmpty ? nil : album, mediaTypes: type.isEmpty ? nil : type,
      createdAfter: [after?.instant, takenAfter?.instant].compactMap { $0 }.max(),
      createdBefore: before?.instant, nameContains: name,
      takenIn: takenIn.map { .init(from: $0.instant) }, sort: sort,
      descending: descending ? true : nil, limit: limit, matching: matching?.filter, offset: offset,
      contentHashes: hash.isEmpty ? nil : hash, isFavorite: favorite ? true : nil,
      includeHidden: hidden ? true : nil, isHidden: onlyHidden ? true : nil)
  }
}

/// A filter on the command line, in JSON.
struct FilterArgument: ExpressibleByArgument {
  /// What it is; nil where it is none.
  let filter: AssetFilter?
  /// The field that is wrong, or what is no JSON.
  let fault: String?

  init?(argument: String) {
    (filter, fault) = strictJSON(argument, "AssetFilter", of: LibraryInterface.definition)
  }
}

/// Pages of assets as they come.
private struct AssetListing {
  private let asJSON: Bool
  /// Whether only those are shown of which their camera says when they were taken.
  private let isOfDated: Bool
  private let texts: TextsByEnglish
  private var table: Table
  private var last: LibraryInterface.FetchAssets.Reply?
  private(set) var count = 0

  init(asJSON: Bool, isOfDated: Bool) {
    self.isOfDated = isOfDated
    self.asJSON = asJSON
    let texts = asJSON ? TextsByEnglish(for: []) : Person.texts
    self.texts = texts
    table = Table(
      .init(texts["ID"]), .init(texts["TYPE"]), .init(texts["SIZE"], .trailing),
      .init(texts["PIXELS"], .trailing),
      .init(texts["CREATED"]), .init(texts["NAME"]))
  }

  mutating func show(_ page: LibraryInterface.FetchAssets.Reply, atMost limit: Int? = nil) throws {
    let shown = isOfDated ? page.assets.filter(\.isDated) : page.assets
    let assets = limit.map { shown.prefix(max(0, $0 - count)) } ?? shown[...]
    count += assets.count
    last = page
    if asJSON {
      for asset in assets { try Output.json(asset) }
      return
    }
    try Output.write(
      table.lines(
        of: assets.map { asset in
          let offline = asset.offline ? texts[" (offline)"] : ""
          return [
            asset.id, texts[asset.mediaType.rawValue], "\(ByteCount(asset.byteCount))",
            asset.dimensions ?? "", "\(LocalTime(asset.created))", asset.filename + flags(asset) + offline,
          ]
        }))
  }

  private func flags(_ asset: LibraryInterface.Asset) -> String {
    (asset.isFavorite ?? false ? texts[" (favourite)"] : "")
      + (asset.isHidden ?? false ? texts[" (hidden)"] : "")
  }

  func finish() throws {
    guard !asJSON, let last else { return }
    try Output.line(texts["\(count) of \(Number(last.total, "asset")). Token: \(SafeText(last.token))"])
  }
}
