internal import AlbumAPI

extension LibraryInterface.Asset {
  /// The file's name as the daemon compares it, also where it is not UTF-8.
  var nameBytes: [UInt8] { percentEncodedFilename?.percentDecoded ?? Array(filename.utf8) }
}

extension LibraryInterface.Album {
  /// The directory's name as the daemon compares it, also where it is not UTF-8.
  var nameBytes: [UInt8] { percentEncodedTitle?.percentDecoded ?? Array(title.utf8) }
}

extension [UInt8] {
  /// Whether the text is part of this, whatever the case of ASCII letters.
  func contains(asciiCaseInsensitive text: String) -> Bool {
    let wanted = text.utf8.map(\.asciiLowercased)
    if wanted.isEmpty { return true }
    let own = map(\.asciiLowercased)
    guard own.count >= wanted.count else { return false }
    return (0...own.count - wanted.count).contains { own[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }
}

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
  }
}
