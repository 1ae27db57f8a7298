import Glibc
import LibraryIO
import LibraryModel
import Testing

extension NewFiles {
  /// Fills one more from a file, part by part.
  ///
  /// - Parameter meanwhile: what is done before each part.
  func copy(_ source: CInt, as name: FileName, limit: Int64, meanwhile: () -> Void = {}) throws {
    let target = try make(as: name)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var offset = 0
    while true {
      meanwhile()
      let count = pread(source, &bytes, bytes.count, off_t(offset))
      guard count > 0 else { break }
      guard offset + count <= limit else { throw LibraryFileError(.tooLarge, subject: name.description) }
      try #require(pwrite(target, bytes, count, off_t(offset)) == count)
      offset += count
    }
    filled(Int64(offset))
  }
}
