/// Which sidecars belong to which asset: by their names alone (docs/decisions/0084-sidecars.md). Only read here; never in
/// directories without files that can belong to another.
package final class Sidecars {
  private let index: any FileRows
  private let directories: Directories

  init(_ index: any FileRows, _ directories: Directories) {
    self.index = index
    self.directories = directories
  }

  /// The asset that a sidecar with this name belongs to; nobody's when there is none.
  ///
  /// `IMG_1.jpg.xmp` belongs to `IMG_1.jpg`. Else it belongs to one file of its stem: RAW before other photos before
  /// films, and of several of a kind the first by name.
  func owner(of sidecar: Location) throws -> AssetID {
    let stem = sidecar.name.stem
    if let named = try index.link(at: Location(sidecar.directory, FileName(stem))),
      named.resource != .sidecar
    {
      return named.asset
    }
    let files = try index.links(in: sidecar.directory, stem: Array(stem)).filter {
      $0.resource.isPhotoOrFilm && $0.location.name.stem == stem
    }
    return files.min { ($0.location.rank, $0.location) < ($1.location.rank, $1.location) }?.asset ?? .nobody
  }

  /// The sidecars that a file of this name can have, whoever's they are, in the order of their names.
  ///
  /// - Parameter asset: all that are this one's and begin like it, are among them: those of its movie.
  func beside(_ file: Location, of asset: AssetID? = nil) throws -> [Link] {
    guard directories.mayHaveCompanions(file.directory) else { return [] }
    let stem = file.name.stem
    return try index.links(in: file.directory, stem: Array(stem)).filter {
      let own = $0.location.name.stem
      return $0.resource == .sidecar
        && (own == stem || own.elementsEqual(file.name.bytes) || $0.asset == asset)
    }
  }

  /// The sidecars beside one name of an asset that are its own, in the order of their names.
  package func sidecars(of asset: AssetID, at link: Location) throws -> [Link] {
    guard directories.mayHaveCompanions(link.directory) else { return [] }
    // Those of its movie as well, which begin like its own.
    return try index.links(in: link.directory, stem: Array(link.name.stem)).filter {
      $0.resource == .sidecar && $0.asset == asset
    }
  }

  /// All names of an asset's sidecars, beside all names of its own, in order.
  package func names(of asset: AssetID, at links: [Location]) throws -> [Link] {
    var seen: Set<Location> = []
    return try links.flatMap { try sidecars(of: asset, at: $0) }.filter { seen.insert($0.location).inserted }
  }

  /// The same, each file once: one that lies beside several names of an asset is one sidecar.
  package func files(of asset: AssetID, at links: [Location]) throws -> [Link] {
    var seen: Set<FileIdentity> = []
    return try names(of: asset, at: links).filter { seen.insert($0.identity).inserted }
  }

  /// Whether a file that gets this name takes no sidecar that is there, and is none of what is there.
  package func isFree(_ location: Location) throws -> Bool {
    if location.name.isSidecar { return try owner(of: location) == .nobody }
    return try beside(location).allSatisfy { try !goes($0.location, to: location) }
  }

  /// Whether a sidecar that gets this name is that of a file which gets its own at the same time.
  package func isFree(_ sidecar: Location, beside file: Location) throws -> Bool {
    try index.link(at: sidecar) == nil && goes(sidecar, to: file)
  }

  /// Whether a sidecar belongs to a file that gets this name, and not to what is there.
  private func goes(_ sidecar: Location, to file: Location) throws -> Bool {
    let stem = sidecar.name.stem
    if stem.elementsEqual(file.name.bytes) { return true }
    guard stem == file.name.stem else { return false }
    if let named = try index.link(at: Location(sidecar.directory, FileName(stem))), named.resource != .sidecar
    {
      return false
    }
    return try index.links(in: sidecar.directory, stem: Array(stem)).allSatisfy {
      !$0.resource.isPhotoOrFilm || $0.location.name.stem != stem
        || (file.rank, file) < ($0.location.rank, $0.location)
    }
  }
}

extension Link.Resource {
  /// Whether its file can have a sidecar by its stem: RAW that is part of a photo has the same as one that is not.
  fileprivate var isPhotoOrFilm: Bool { self == .main || self == .alternatePhoto }
}

extension Location {
  /// Which of the files of one stem has its sidecars: the first.
  fileprivate var rank: Int {
    if name.isRaw { return 0 }
    return MediaType(name: name) == .image ? 1 : 2
  }
}

extension AssetID {
  /// Whose a sidecar is beside which no photo lies: no asset has that number.
  package static let nobody = AssetID(rawValue: 0)
}

extension FileName {
  /// Whether it is the name of a sidecar: what another program keeps beside a photo or film (`.xmp`, `.aae`, `.thm`).
  package var isSidecar: Bool { bytes.withUnsafeBytes(FileName.isSidecar) }

  /// The same for bytes that are not yet a name.
  package static func isSidecar(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > 4, bytes[0] != UInt8(ascii: "."), bytes[bytes.count - 4] == UInt8(ascii: ".") else {
      return false
    }
    return sidecarEndings.contains { $0.elementsEqual(bytes.suffix(3).lazy.map { $0 | 0x20 }) }
  }

  /// Whether a file with this name is taken into the index: an asset's own, or a sidecar.
  package var countsAsFile: Bool { bytes.withUnsafeBytes(FileName.countsAsFile) }

  /// The same for bytes that are not yet a name.
  package static func countsAsFile(_ bytes: UnsafeRawBufferPointer) -> Bool {
    countsAsAsset(bytes) || isSidecar(bytes)
  }

  /// What a file beside this name is called when this name becomes another: `IMG_1.jpg.xmp` beside `IMG_1.jpg` becomes
  /// `new.jpg.xmp` beside `new.jpg`.
  ///
  /// - Parameter companion: a name that begins with this name's stem.
  package func renaming(_ companion: FileName, with new: FileName) -> FileName {
    FileName(new.stem + companion.bytes.dropFirst(stem.count))
  }
}

extension FileName {
  /// Whether a file that is called as this one, without its extension, and this, is a sidecar of it: `xmp`, or `jpg.xmp`.
  ///
  /// - Parameters:
  ///   - other: the extension of the movie of a live photo.
  ///   - raw: that of the RAW of a photo.
  package func takesSidecar(
    _ ending: String, movieEnding other: String? = nil, rawEnding raw: String? = nil
  ) -> Bool {
    let sidecar = FileName("x.\(ending)")
    guard sidecar.isSidecar else { return false }
    let rest = FileName(sidecar.stem)
    return rest.bytes.count == 1 || [self.ending, other, raw].contains(rest.ending) && rest.stem.count == 1
  }
}

private let sidecarEndings = ["xmp", "aae", "thm"].map { Array($0.utf8) }
