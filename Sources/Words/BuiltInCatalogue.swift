internal import Glibc

/// A catalogue that comes with the program. A text is looked for when it is said: a program that says ten things does not
/// read three hundred.
struct BuiltInCatalogue: Sendable {
  /// As it is in the file of its name: nothing in it is wrong, which its test holds.
  let bytes: [UInt8]

  static let english = BuiltInCatalogue(bytes: PackageResources.en_yaml)

  /// By language.
  static let all = [
    "en": english, "zh-Hans": BuiltInCatalogue(bytes: PackageResources.zh_Hans_yaml),
    "zh-Hant": BuiltInCatalogue(bytes: PackageResources.zh_Hant_yaml),
  ]

  /// What it says; nil where it says nothing.
  subscript(phrase: Phrase) -> String? {
    let key = phrase.rawValue
    var line = 0
    while line < bytes.count {
      let end = endOfLine(from: line)
      if begins(line..<end, key), let (_, text) = WordsFile.entry(bytes[line..<end]) { return text }
      line = end + 1
    }
    return nil
  }

  private func endOfLine(from start: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress,
        let end = memchr(first + start, CInt(UInt8(ascii: "\n")), bytes.count - start)
      else { return bytes.count }
      return UnsafeRawPointer(end) - first
    }
  }

  private func begins(_ line: Range<Int>, _ key: String) -> Bool {
    let key = key.utf8
    guard line.count > key.count, bytes[line.lowerBound] == key.first,
      bytes[line.lowerBound + key.count] == UInt8(ascii: ":")
    else { return false }
    return bytes[line.lowerBound...].prefix(key.count).elementsEqual(key)
  }
}
