/// Ids of Flatpak applications, as Flatpak names them: like D-Bus (flatpak-metadata(5), org.freedesktop.DBus).
///
/// The file that holds one lies in a root directory that processes of the peer's user have made, so that anything
/// may stand in it: a path, say, which is another app's id.
package enum FlatpakID {
  /// Bytes, as of every name on D-Bus.
  static let longest = 255

  /// The id in a `.flatpak-info`.
  ///
  /// - Throws: `UnidentifiedPeer` when it names none, or more than one (rule S36).
  package static func read(_ info: [UInt8]) throws(UnidentifiedPeer) -> String {
    let file: KeyFile
    do throws(KeyFile.Malformed) { file = try KeyFile(info) } catch {
      throw UnidentifiedPeer(reason: "its /.flatpak-info cannot be understood: \(error)")
    }
    let names = ["Application", "Runtime"].compactMap { file.value("name", in: $0) }
    guard let name = names.first, names.count == 1 else {
      throw UnidentifiedPeer(
        reason: names.isEmpty ? "its /.flatpak-info names no application" : "its /.flatpak-info names two")
    }
    // An escape (`\s`) would stand for what no id has: as it stands, it is none either.
    let id = String(decoding: name, as: UTF8.self)
    try check(id)
    return id
  }

  /// - Throws: `UnidentifiedPeer` for what is no id. It quotes no more than helps.
  static func check(_ id: String) throws(UnidentifiedPeer) {
    let bytes = id.utf8
    guard bytes.count <= longest else { throw .tooLong("Flatpak id", bytes.count, longest) }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.allSatisfy(isPart) else {
      throw UnidentifiedPeer(reason: "\(bytes.percentEncoded) is no id of a Flatpak, such as org.example.App")
    }
  }

  private static func isPart(_ part: Substring.UTF8View) -> Bool {
    guard let first = part.first, !first.isDigit else { return false }
    return part.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
  }
}

extension UnidentifiedPeer {
  /// A name that is longer than those of its kind are.
  static func tooLong(_ what: String, _ count: Int, _ longest: Int) -> UnidentifiedPeer {
    UnidentifiedPeer(reason: "the peer's \(what) has \(count) bytes, and none has more than \(longest) bytes")
  }
}
