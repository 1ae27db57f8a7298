/// What an asset is.
package enum MediaType: UInt8, Hashable, Sendable, CaseIterable {
  /// A still.
  case image = 1
  /// A film.
  case video = 2
  /// A still and its paired video.
  case livePhoto = 3
}

extension MediaType {
  /// What a file with this name holds, by its extension; `nil` if it is not media.
  package init?(name: FileName) {
    guard let type = name.bytes.withUnsafeBytes(MediaType.init(nameBytes:)) else { return nil }
    self = type
  }

  /// The same for bytes that are not yet a name.
  package init?(nameBytes bytes: UnsafeRawBufferPointer) {
    // The extension packed into one integer, lower case: no allocation for a million names.
    var packed: UInt64 = 0
    var length = 0
    var index = bytes.count
    while index > 0 {
      index -= 1
      let byte = bytes[index]
      if byte == UInt8(ascii: ".") { break }
      length += 1
      guard length <= 8 else { return nil }
      let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      packed |= UInt64(lower) << (8 * UInt64(length - 1))
    }
    // A name that is all extension (".jpg") is hidden and never gets here; one without a dot has none.
    guard length > 0, index > 0 || bytes.first == UInt8(ascii: ".") else { return nil }
    // Most of all files, without a look into the dictionary.
    if packed == 0x6A7067 {  // jpg
      self = .image
      return
    }
    guard let type = typeOfExtension[packed] else { return nil }
    self = type
  }
}

extension FileName {
  /// Whether a file with this name is an asset once complete (S40): a media extension, not hidden, and
  /// not the name that a browser, a downloader or an editor gives to half a file.
  package var countsAsAsset: Bool { bytes.withUnsafeBytes(FileName.countsAsAsset) }

  /// The same for bytes that are not yet a name.
  ///
  /// Partial downloads are `photo.jpg.part`, `.crdownload`, `.partial`, `.tmp`, `photo.jpg~`: what
  /// matters is that their extension is no media type's, so they need no list of their own.
  package static func countsAsAsset(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.first != UInt8(ascii: ".") && MediaType(nameBytes: bytes) != nil
  }

  /// Whether a directory with this name is an album: any that is not hidden, nor what fsck(8) keeps for what it finds.
  ///
  /// That is made at the top of a file system, which may be mounted at a root or anywhere beneath one. It is root's
  /// alone, so that a library with it could never be read wholly.
  package var countsAsAlbum: Bool { !isHidden && !Self.lostAndFound.elementsEqual(bytes) }
  private static let lostAndFound = Array("lost+found".utf8)
}

extension MediaType {
  /// What a file holds by its extension, in lower case.
  static let extensions: [String: MediaType] = {
    let images = """
      jpg jpeg jpe jfif png apng gif webp heic heics heif heifs hif avif avifs tif tiff bmp dib jxl jp2 jpf jpx j2k j2c jpc psd \
      \(rawExtensions)
      """
    let videos = "mp4 m4v mov qt mkv webm avi 3gp 3gpp 3g2 mpg mpeg mts m2ts wmv ogv insv"
    var types: [String: MediaType] = [:]
    for (list, type) in [(images, MediaType.image), (videos, .video)] {
      for word in list.split(separator: " ") { types[String(word)] = type }
    }
    return types
  }()
}

/// Those of cameras' own formats.
private let rawExtensions = """
  dng gpr raw cr2 cr3 crw nef nrw arw srf sr2 raf orf rw2 rwl pef ptx srw x3f iiq 3fr fff dcr kdc mrw erf mef mos
  """
/// The same, each with a dot, packed as the last four bytes of a name.
private let endingsOfRaw = Set(
  rawExtensions.split(separator: " ").map {
    $0.utf8.reduce(UInt32(UInt8(ascii: "."))) { $0 << 8 | UInt32($1) }
  })

/// With which letters they begin: a bit for each.
private let firstLettersOfRaw = rawExtensions.split(separator: " ").reduce(UInt32(0)) { letters, word in
  letters | (word.utf8.first.map { UInt32(1) << UInt32($0 & 31) } ?? 0)
}

extension FileName {
  /// Whether it is the name of a photo as a camera's sensor saw it, by its extension.
  package var isRaw: Bool {
    guard bytes.count > 4, bytes[bytes.count - 4] == UInt8(ascii: "."),
      // Nearly always not even that letter is one with which any of them begins.
      firstLettersOfRaw & 1 << UInt32(bytes[bytes.count - 3] & 31) != 0
    else { return false }
    let ending = bytes.suffix(4).reduce(UInt32(0)) { packed, byte in
      let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      return packed << 8 | UInt32(lower)
    }
    return endingsOfRaw.contains(ending)
  }

  /// The extensions of such names, in lower case: three letters each.
  package static var rawEndings: [String] { rawExtensions.split(separator: " ").map(String.init) }
}

/// The same, packed as `MediaType(nameBytes:)` reads them.
private let typeOfExtension = Dictionary(
  uniqueKeysWithValues: MediaType.extensions.map { word, type in
    (word.utf8.reduce(0) { $0 << 8 | UInt64($1) }, type)
  })
