internal import AlbumAPI
internal import Glibc
package import Linux

/// The name of an exported file, as bytes for the kernel: never a path, never one that hides.
///
/// The daemon hands out names that apps and other programs made, and the file is created in a directory
/// of the user's.
package struct ExportName: Hashable, Sendable {
  /// Without a NUL at the end.
  package let bytes: [UInt8]

  /// - Parameters:
  ///   - filename: the asset's.
  ///   - percentEncoded: the same without loss, when it is not UTF-8.
  package init(filename: String, percentEncoded: String? = nil) {
    var bytes = percentEncoded?.percentDecoded ?? Array(filename.utf8)
    bytes = bytes.map { $0 == UInt8(ascii: "/") || $0 == 0 ? UInt8(ascii: "_") : $0 }
    self.init(showing: bytes)
  }

  /// Neither empty nor hidden.
  private init(showing bytes: [UInt8]) {
    var bytes = bytes.isEmpty ? Array("unnamed".utf8) : bytes
    if bytes[0] == UInt8(ascii: ".") { bytes[0] = UInt8(ascii: "_") }
    self.bytes = bytes
  }

  /// The longest name that Linux file systems take, in bytes.
  private static let longest = 255

  /// A long stem is cut where its end needs the room, and no UTF-8 sequence in it.
  private init(_ stem: [UInt8], _ end: [UInt8]) {
    var count = min(stem.count, max(0, Self.longest - end.count))
    if count < stem.count {
      // A sequence has four bytes at most: behind more that go on with one there is none to keep whole.
      let starts = (max(0, count - 3)...count).last { stem[$0] & 0xC0 != 0x80 }
      count = starts ?? count
    }
    self.init(showing: Array(stem.prefix(count) + end.prefix(Self.longest)))
  }

  /// The name with a number before its extension, for when it exists: `IMG_1 (2).jpg`.
  package func numbered(_ number: Int) -> ExportName {
    let (stem, end) = split()
    return ExportName(stem, Array(" (\(number))".utf8) + end)
  }

  /// The name with another extension: a file beside it.
  package func replacingExtension(with other: String) -> ExportName {
    let safe = other.utf8.map { $0 == UInt8(ascii: "/") || $0 == 0 ? UInt8(ascii: "_") : $0 }
    return ExportName(split().stem, [UInt8(ascii: ".")] + safe)
  }

  private func split() -> (stem: [UInt8], end: [UInt8]) {
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (bytes, []) }
    return (Array(bytes[..<dot]), Array(bytes[dot...]))
  }
}

extension ExportName {
  /// For the kernel.
  package var path: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// Makes a file by this name, or by it with the first number that is not taken.
  ///
  /// - Parameters:
  ///   - call: what makes it, and how an error names that.
  ///   - make: the call; negative, with EEXIST, where the name is taken.
  /// - Returns: the name that it got, and what the call returned.
  package func firstFree(
    _ call: StaticString, subject: String, _ make: ([CChar]) -> CInt
  ) throws(SystemError) -> (name: ExportName, result: CInt) {
    var candidate = self
    var number = 1
    while true {
      do throws(SystemError) {
        let path = candidate.path
        return (candidate, try retryingInterrupts(call, subject: subject) { make(path) })
      } catch {
        guard error.code == EEXIST else { throw error }
        number += 1
        candidate = numbered(number)
      }
    }
  }
}
