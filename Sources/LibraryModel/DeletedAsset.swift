/// Under which names the files of something deleted rest: nobody guesses it, and nothing else has it, also when
/// the index was made again in the meantime.
package struct HiddenKey: RawRepresentable, Hashable, Sendable {
  /// 64 random bits.
  package let rawValue: UInt64
  /// A key as stored.
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
  /// A new one.
  package static func random() -> HiddenKey { HiddenKey(rawValue: .random(in: 0...UInt64.max)) }

  /// The name of its file with this number.
  package func name(_ number: Int) -> String { HexadecimalDigits(rawValue).text + ".\(number)" }

  /// The key in such a name; `nil` if it is not one.
  package init?(name: String) {
    guard let dot = name.firstIndex(of: "."), name[..<dot].utf8.count == 16,
      let value = UInt64(name[..<dot], radix: 16), Int(name[name.index(after: dot)...]) != nil
    else { return nil }
    rawValue = value
  }
}

/// An asset that was deleted and can be restored (S33), or the former content of one that was overwritten; or an
/// asset's names in an album that it is being taken out of, or that are being changed.
///
/// It is written down before any file is moved, so that whatever is killed when, ``state`` says what is still
/// to be done. Its files rest in a hidden directory of their file system, one for each of its links.
package struct DeletedAsset: Hashable, Sendable {
  /// What is still to be done.
  package enum State: UInt8, Hashable, Sendable {
    /// Nothing: its files rest.
    case deleted = 0
    /// Its files are being put away.
    case deleting = 1
    /// Its files are being put back, to ``DeletedAsset/links``.
    case restoring = 2
    /// New files, in the place where its own are to rest, are changing places with these.
    case replacing = 3
    /// Its names in one album are being taken away; the file has others, and stays an asset.
    case removing = 4
    /// Files of an asset are getting other names: the first half of ``DeletedAsset/files`` are where they are to be, the
    /// second half the same ones where they were.
    case moving = 5
    /// As ``replacing``; its own file is kept as the original of what takes its place (S94).
    case adjusting = 6
    /// Its file, and the original that rests where it is to rest, are changing places (S94).
    case reverting = 7
  }

  /// Its id: it has it again when it is restored (S39).
  package let id: AssetID
  /// Under which names its files rest.
  package let key: HiddenKey
  /// What is still to be done.
  package var state: State
  /// The asset as it was: its links are where its files were, and where they go back to, in the order of the
  /// numbers that their names rest under.
  package var asset: Asset
  /// The movies and RAW that belonged to it, by all their names.
  package var parts: [Companion]
  /// Its sidecars, by all their names (S78).
  package var sidecars: [Companion]
  /// The file that takes its place when it is overwritten, once that is known.
  package var successor: FileIdentity?
  /// The root it was beneath.
  package let root: RootID
  /// The directory that holds the hidden one.
  package let place: DirectoryID
  /// When it was deleted. Seconds since 1970.
  package let deleted: Int64
  /// The app that deleted it; `nil` for an owner.
  package let app: String?

  /// The movie of a live photo, RAW, or a sidecar.
  package struct Companion: Hashable, Sendable {
    /// Where it was, or is to be.
    package var location: Location
    /// Which file it is.
    package let identity: FileIdentity

    /// One of them.
    package init(location: Location, identity: FileIdentity) {
      self.location = location
      self.identity = identity
    }
  }

  /// One of its files.
  package struct File: Hashable, Sendable {
    /// The name that it rests under.
    package let name: String
    /// Where it was, or is to be.
    package let location: Location
    /// Which file it is.
    package let identity: FileIdentity
  }

  /// All its files, in the order of their numbers: those of its names, movies and RAW, sidecars.
  package var files: [File] {
    let own = asset.links.map { ($0, asset.identity) }
    let all = own + (parts + sidecars).map { ($0.location, $0.identity) }
    return all.enumerated().map { number, file in
      File(name: key.name(number), location: file.0, identity: file.1)
    }
  }

  /// A deletion.
  package init(
    key: HiddenKey, state: State, asset: Asset, parts: [Companion] = [], sidecars: [Companion] = [],
    successor: FileIdentity? = nil,
    root: RootID, place: DirectoryID, deleted: Int64, app: String?
  ) {
    id = asset.id
    self.key = key
    self.state = state
    self.asset = asset
    self.parts = parts
    self.sidecars = sidecars
    self.successor = successor
    self.root = root
    self.place = place
    self.deleted = deleted
    self.app = app
  }
}
