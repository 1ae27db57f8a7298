internal import CLinux
internal import Glibc
internal import Linux

/// A directory of the app's that files are loaded into: each under a name of its own, whole or not at all.
struct LoadingDirectory: ~Copyable {
  private let path: String
  private let directory: OwnedDescriptor
  private let hasUnnamed: Bool
  /// What was loaded, in this order.
  private(set) var names: [ExportName] = []
  /// How many bytes that are.
  private var done = 0

  /// - Parameter hasUnnamed: whether files without names may be made, where its file system has them.
  init(_ path: String, hasUnnamed: Bool = true) throws(SystemError) {
    self.path = path
    self.hasUnnamed = hasUnnamed
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
    let made = hasUnnamed ? linux_open_unnamed(directory.number, 0o666) : -1
    if made >= 0 {
      let target = OwnedDescriptor(owning: made)
      guard try file.copy(to: target.number, goesOn) else { return false }
      file.passOnModificationTime(to: target.number)
      let given = try name.firstFree("linkat", subject: path) {
        linux_link_descriptor(target.number, directory.number, $0)
      }
      names.append(given.name)
    } else {
      // A file system that has only files with names: a hidden one, until it is whole.
      guard let given = try addHidden(file, as: name, goesOn) else { return false }
      names.append(given)
    }
    done += file.byteCount()
    return true
  }

  /// - Returns: the name that it got; nil where it was ended.
  private borrowing func addHidden(
    _ file: borrowing OwnedDescriptor, as name: ExportName, _ goesOn: (Int) -> Bool
  ) throws(SystemError) -> ExportName? {
    // Nobody guesses it (``renameToFree(_:_:_:_:)``).
    let part = ".albumd-\(UInt64.random(in: 0...(.max))).part"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = directory.number
    let made = try retryingInterrupts("openat", subject: path) { openat(number, part, flags, 0o666) }
    do throws(SystemError) {
      let isWhole = try write(file, to: OwnedDescriptor(owning: made), goesOn)
      if isWhole {
        return try name.firstFree("renameat2", subject: path) { renameToFree(number, part, number, $0) }.name
      }
    } catch {
      unlinkat(number, part, 0)
      throw error
    }
    unlinkat(number, part, 0)
    return nil
  }

  /// Writes a file, and closes it: some file systems rename none that is open.
  private borrowing func write(
    _ file: borrowing OwnedDescriptor, to target: consuming OwnedDescriptor, _ goesOn: (Int) -> Bool
  ) throws(SystemError) -> Bool {
    guard try file.copy(to: target.number, goesOn) else { return false }
    file.passOnModificationTime(to: target.number)
    return true
  }

  /// Removes what was loaded.
  mutating func removeAll() {
    for name in names { unlinkat(directory.number, name.path, 0) }
    names = []
  }

  /// Where what was loaded is.
  var paths: [String] { names.map { "\(path)/\(String(decoding: $0.bytes, as: UTF8.self))" } }
}

extension OwnedDescriptor {
  /// Loads it: ``LoadingDirectory/add(_:as:_:)``.
  borrowing func load(
    into directory: inout LoadingDirectory, as name: ExportName, _ goesOn: (Int) -> Bool
  ) throws(SystemError) -> Bool {
    try directory.add(self, as: name, goesOn)
  }
}
