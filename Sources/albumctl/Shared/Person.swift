internal import AlbumTerminal
internal import Glibc
internal import Linux
internal import Words

/// Who reads what this process writes.
enum Person {
  /// Their languages, best first.
  static let languages = PreferredLanguages.ofProcess
  /// The one that is named in calls: English in the C locale, where the daemon would take what was named before.
  static var language: String { languages.first ?? "en" }

  /// Their desktop, as it names itself.
  static var desktop: String? { variable("XDG_CURRENT_DESKTOP") }

  /// What is said to them.
  static let words = {
    let files = translations
    return Words.matching(languages, installed: Array(files.keys)) { files[$0].flatMap(read) }
  }()

  /// What is said to them instead of the English that stands in the code: help, and what only apps and developers see.
  static let texts = TextsByEnglish(for: languages)

  /// Asks a person at the terminal whether everything is meant. A script has said so.
  ///
  /// - Throws: ``CommandFailure`` when it is not.
  static func confirm(_ question: Phrase, _ words: Words) throws {
    guard isatty(STDIN_FILENO) == 1 else { return }
    StandardStream.error.write(words[question])
    guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
      throw CommandFailure(.refused, words[.nothingChanged])
    }
  }

  /// Files of translators by language. Of two for one language that in the later directory counts.
  private static var translations: [String: String] {
    var directories = ["/usr/share/albumd", "/etc/albumd"]
    // The XDG base directories: where a user's own daemon has its configuration.
    if let own = variable("XDG_CONFIG_HOME") ?? variable("HOME").map({ "\($0)/.config" }) {
      directories.append("\(own)/albumd")
    }
    var files: [String: String] = [:]
    for directory in directories {
      guard let stream = opendir("\(directory)/words") else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        // d_name may be longer than its declared 256 bytes, readdir(3): read it in place.
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) { String(cString: $0) }
        }
        if name.hasSuffix(".yaml") { files[String(name.dropLast(5))] = "\(directory)/words/\(name)" }
      }
    }
    return files
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Nil for what cannot be read (albumctl doctor says so), and for what is said without it.
  private static func read(_ path: String) -> WordsFile? {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = Glibc.open(path, flags)
    guard descriptor >= 0 else { return nil }
    let file = OwnedDescriptor(owning: descriptor)
    let bytes = try? [UInt8](unsafeUninitializedCapacity: WordsFile.byteLimit) { buffer, count in
      while count < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let more = try retryingInterrupts("read") { Glibc.read(file.number, rest.baseAddress, rest.count) }
        if more == 0 { return }
        count += more
      }
    }
    guard let bytes, !Words.haveComeWithProgram(bytes) else { return nil }
    return WordsFile(parsing: bytes)
  }
}
