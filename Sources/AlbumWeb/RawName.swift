/// Photos as a camera's sensor saw them, by their names: where a file itself has not told it (yet).
package enum RawName {
  /// The endings that the daemon knows (S99), which a client cannot ask for.
  package static let endings: Set<String> = [
    "dng", "gpr", "raw", "cr2", "cr3", "crw", "nef", "nrw", "arw", "srf", "sr2", "raf", "orf", "rw2", "rwl",
    "pef", "ptx",
    "srw", "x3f", "iiq", "3fr", "fff", "dcr", "kdc", "mrw", "erf", "mef", "mos",
  ]

  /// Whether a file of this name is one.
  package static func matches(_ filename: String) -> Bool {
    guard let dot = filename.lastIndex(of: "."), dot != filename.startIndex else { return false }
    return endings.contains(filename[filename.index(after: dot)...].lowercased())
  }
}
