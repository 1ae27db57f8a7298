internal import Glibc
internal import Linux

/// A directory of a test's own, which goes with the object and all that is in it.
public final class TemporaryDirectory: Sendable {
  /// Its path, which tells whose it is.
  public let path: String

  /// Makes one.
  public init() throws {
    var template = Array("/tmp/albumd-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    removeAll(path)
  }

  /// What is in it, in order.
  public var names: [String] { entries(of: path).sorted() }

  private func removeAll(_ path: String) {
    for name in entries(of: path) where unlink("\(path)/\(name)") != 0 { removeAll("\(path)/\(name)") }
    rmdir(path)
  }
}

/// What is in a directory, in no order; nothing where there is none.
public func entries(of path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}
