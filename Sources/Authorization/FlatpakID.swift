/// Ids of Flatpak applications, as Flatpak names them: like D-Bus (flatpak-metadata(5), org.freedesktop.DBus).
///
/// The file that holds one lies in a root directory that processes of the peer's user have made, so that anything
/// may stand in it: a path, say, which is another app's id.
enum FlatpakID {
  /// Bytes, as of every name on D-Bus.
  static let longest = 255

  /// - Throws: `UnidentifiedPeer` for what is no id. It quotes no more than helps.
  static func check(_ id: String) throws(UnidentifiedPeer) {
    let count = id.utf8.count
    guard count <= longest else { throw .tooLong("Flatpak id", count, longest) }
    let parts = id.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.allSatisfy(isPart) else {
      throw UnidentifiedPeer(reason: "\(id) is no id of a Flatpak, such as org.example.App")
    }
  }

  private static func isPart(_ part: Substring) -> Bool {
    guard let first = part.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return part.unicodeScalars.allSatisfy { scalar in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        || scalar == "_" || scalar == "-"
    }
  }
}

extension UnidentifiedPeer {
  /// A name that is longer than those of its kind are.
  static func tooLong(_ what: String, _ count: Int, _ longest: Int) -> UnidentifiedPeer {
    UnidentifiedPeer(reason: "the peer's \(what) has \(count) bytes, and none has more than \(longest) bytes")
  }
}
