/// Files of a command line, of which some are sidecars of others: `a.jpg a.xmp b.dng b.dng.xmp`.
package struct SidecarArguments {
  /// A sidecar: its path, and what follows its photo's name without the extension, and a dot.
  package struct Found {
    /// Its path.
    package let path: String
    /// Such as `xmp`, or `jpg.xmp`.
    package let fileExtension: String
  }

  /// Those that are no sidecars, in their order.
  package let media: [String]
  /// The sidecars of each, in their order.
  package private(set) var beside: [String: [Found]] = [:]
  /// Sidecars of none of them.
  package private(set) var alone: [String] = []

  /// - Parameter files: paths. One is a sidecar by its extension, and lies in the same directory as its photo: it has the
  ///   photo's whole name before the extension, or that of the first photo with the same stem.
  package init(_ files: [String]) {
    media = files.filter { !Self.isSidecar($0) }
    for file in files where Self.isSidecar(file) {
      let (stem, ending) = Self.split(file)
      if media.contains(stem) {
        let photo = Self.split(stem)
        beside[stem, default: []].append(Found(path: file, fileExtension: "\(photo.ending).\(ending)"))
      } else if let photo = media.first(where: { Self.split($0).stem == stem }) {
        beside[photo, default: []].append(Found(path: file, fileExtension: ending))
      } else {
        alone.append(file)
      }
    }
  }

  private static func isSidecar(_ path: String) -> Bool {
    ["xmp", "aae", "thm"].contains(split(path).ending.lowercased())
  }

  /// A path before its last dot, and what follows that; a name that begins with its only dot has no extension.
  private static func split(_ path: String) -> (stem: String, ending: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = path.lastIndex(of: "."), dot > name.startIndex else { return (path, "") }
    return (String(path[..<dot]), String(path[path.index(after: dot)...]))
  }
}
