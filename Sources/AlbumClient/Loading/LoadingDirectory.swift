internal import CLinux
internal import Glibc
internal import Linux

/// A directory of the app's that files are loaded into: each under a name of its own, whole or not at all.
struct LoadingDirectory: ~Copyable {
  private let path: String
  private let directory: OwnedDescriptor
  /// What was loaded, in this order.
  private(set) var names: [ExportName] = []
  /// How many bytes that are.
  private var done = 0

  init(_ path: String) throws(SystemError) {
    self.path = path
    directory = try OwnedDescriptor(
      open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open", subject: path)
  }

  /// Loads a file; a name that exists gets a number. It keeps the time at which its content last changed.
  ///
  /// - Parameter goesOn: told how many bytes of all that is loaded are there by now; false ends it.
  /// - Returns: whether it is there; false where it was ended.
  mutating func add(
    _ file: borrowing OwnedDescriptor, as name: ExportName, _ goesOn: (Int) -> Bool
  ) throws(SystemError) -> Bool {
    let before = done
    let goesOn = { (done: Int) in goesOn(before + done) }
    let made = linux_open_unnamed(directory.number, 0o666)
    if made >= 0 {
      let target = OwnedDescriptor(owning: made)
      guard try file.copy(to: target.number, goesOn) else { return false }
      file.passOnModificationTime(to: target.number)
      let given = try firstFree(name, "linkat") {
        linux_link_descriptor(target.number, directory.number, $0)
      }
      names.append(given.name)
    } else {
      // A file system that has only files with names.
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let given = try firstFree(name, "openat") { openat(directory.number, $0, flags, 0o666) }
      let target = OwnedDescriptor(owning: given.result)
      // From here on it is removed with the others.
      names.append(given.name)
      guard try file.copy(to: target.number, goesOn) else { return false }
      file.passOnModificationTime(to: target.number)
    }
    done += file.byteCount()
    return true
  }

  /// Removes what was loaded.
  mutating func removeAll() {
    for name in names { unlinkat(directory.number, name.path, 0) }
    names = []
  }

  /// Where what was loaded is.
  var paths: [String] { names.map { "\(path)/\(String(decoding: $0.bytes, as: UTF8.self))" } }

  /// The name, or it with the first number that is not taken.
  private borrowing func firstFree(
    _ name: ExportName, _ call: StaticString, _ make: ([CChar]) -> CInt
  ) throws(SystemError) -> (name: ExportName, result: CInt) {
    var candidate = name
    var number = 1
    while true {
      do throws(SystemError) {
        let file = candidate.path
        return (candidate, try retryingInterrupts(call, subject: path) { make(file) })
      } catch {
        guard error.code == EEXIST else { throw error }
        number += 1
        candidate = name.numbered(number)
      }
    }
  }
}

extension OwnedDescriptor {
  /// Loads it: ``LoadingDirectory/add(_:as:_:)``.
  borrowing func load(
    into directory: inout LoadingDirectory, as name: ExportName, _ goesOn: (Int) -> Bool
  ) throws(SystemError) -> Bool {
    try directory.add(self, as: name, goesOn)
  }
}

extension ExportName {
  /// For the kernel.
  fileprivate var path: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
