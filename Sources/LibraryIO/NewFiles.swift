internal import CLinux
internal import Glibc
package import LibraryModel
internal import Linux

/// Copies that are whole and on disk before they get their names in a directory (S30): no reader, watcher or
/// crash ever sees half of one, and a failure leaves nothing.
///
/// A file is made without a name (O_TMPFILE, open(2)), filled and synced by somebody else, and linked. Where a file
/// system has no O_TMPFILE, it is made under a hidden name and renamed with RENAME_NOREPLACE. Making one and ``sync()``
/// wait for the disk: call them on a thread that may.
///
/// What was given no name goes with this object.
///
/// Unchecked: whoever has it hands it on and touches it no more, from the thread that makes to the loop that
/// names, and back to the thread that syncs.
package final class NewFiles: @unchecked Sendable {
  private let directory: HeldFile
  private var files: [NewFile] = []
  private var names: [FileName] = []

  /// No files yet.
  ///
  /// - Parameter directory: where they get their names, as `LibraryMonitor.open(_:)` gives it.
  package init(in directory: HeldFile) {
    self.directory = directory
  }

  deinit {
    let (files, directory) = (files, directory)
    guard let closer = directory.closer else {
      for file in files { file.end() }
      return
    }
    closer.run {
      for file in files { file.end() }
      // After those, which are removed from it.
      _ = directory.take()
    }
  }

  /// How many bytes they have together.
  package var byteCount: Int64 { files.reduce(0) { $0 + $1.byteCount } }

  /// How many there are.
  package var count: Int { files.count }

  /// Makes one more, which is empty.
  ///
  /// - Parameters:
  ///   - name: for errors.
  ///   - mode: its permissions.
  /// - Returns: open for reading and writing. It must not be kept or closed.
  /// - Throws: ``LibraryFileError``: `noSpace`, `gone` (the directory), or `system`.
  package func make(as name: FileName, mode: UInt32 = 0o640) throws(LibraryFileError) -> CInt {
    let file = try NewFile(in: directory.number, name.description, mode)
    files.append(file)
    return file.descriptor
  }

  /// The one that was made last is whole and on disk.
  package func filled(_ byteCount: Int64) {
    if let last = files.indices.last { files[last].byteCount = byteCount }
  }

  /// The one that was made last stays empty: whoever fills it may go on having it open.
  package func abandon() {
    if let last = files.indices.last { files[last].isAbandoned = true }
  }

  /// Takes what was written from those that are abandoned. They are emptied once more when they go.
  package func emptyAbandoned() {
    for file in files { file.emptyIfAbandoned() }
  }

  /// The copy with that number, for a look at what it holds. It must not be kept or closed.
  package func descriptor(_ index: Int) -> CInt { files[index].descriptor }

  /// Says when the content of the first last changed: of a movie, RAW and sidecars beside it each has its own time.
  ///
  /// - Parameter modified: nanoseconds since 1970-01-01.
  /// - Throws: ``LibraryFileError``, `system`.
  package func date(_ modified: Int64) throws(LibraryFileError) {
    var (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    let times = [
      timespec(tv_sec: 0, tv_nsec: Int(LINUX_UTIME_OMIT)), timespec(tv_sec: Int(seconds), tv_nsec: Int(rest)),
    ]
    if let first = files.first, futimens(first.descriptor, times) != 0 {
      throw LibraryFileError("futimens", "a new file")
    }
  }

  /// Gives the files their names, all or none.
  ///
  /// - Parameter names: one for each file.
  /// - Returns: whether all were free.
  /// - Throws: ``LibraryFileError``: `noSpace`, `readOnly`, `gone` (the directory), or `system`.
  package func place(_ names: [FileName]) throws(LibraryFileError) -> Bool {
    let result = try placeAll(names) { index, name in
      files[index].place(name)
    } takeBack: { (index, name) throws(LibraryFileError) in
      try files[index].takeBack(name)
    }
    if result == 0 {
      self.names = names
      return true
    }
    guard errno == EEXIST else {
      throw LibraryFileError(files[0].call, names[0].description)
    }
    return false
  }

  /// Takes the names back that they were given.
  ///
  /// - Throws: ``LibraryFileError``: one could not be, or what somebody else has saved under it could not be given back.
  package func takeBack() throws(LibraryFileError) {
    let placed = names
    names = []
    try takeAllBack(placed) { (index, name) throws(LibraryFileError) in try files[index].takeBack(name) }
  }

  /// Whether nothing has that name now, as far as the file system says.
  func isFree(_ name: FileName) -> Bool {
    var facts = linux_facts()
    return withName(name) { linux_look(directory.number, $0, &facts) } != 0 && errno == ENOENT
  }

  /// A name is on disk when its directory is (fsync(2)). O_PATH cannot be synced, so it is opened again.
  ///
  /// - Throws: ``LibraryFileError``, `system`.
  package func sync() throws(LibraryFileError) {
    let subject = names.first?.description ?? ""
    let result = openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard result >= 0 else { throw LibraryFileError("openat", subject) }
    let readable = OwnedDescriptor(owning: result)
    guard fsync(readable.number) == 0 else { throw LibraryFileError("fsync", subject) }
  }
}

/// Gives files names, all or none.
///
/// - Parameters:
///   - put: a system call that gives the file with that index a name.
///   - takeBack: what undoes it.
/// - Returns: 0, or -1 with errno.
/// - Throws: what `takeBack` does.
func placeAll(
  _ names: [FileName], put: (Int, UnsafePointer<CChar>) -> CInt,
  takeBack: (Int, FileName) throws(LibraryFileError) -> Void
) throws(LibraryFileError) -> CInt {
  for (index, name) in names.enumerated() where withName(name, { put(index, $0) }) != 0 {
    let code = errno
    try takeAllBack(Array(names[..<index]), takeBack)
    errno = code
    return -1
  }
  return 0
}

/// Takes every name back; what fails for one is told when all have had their turn.
private func takeAllBack(
  _ names: [FileName], _ takeBack: (Int, FileName) throws(LibraryFileError) -> Void
) throws(LibraryFileError) {
  var failure: LibraryFileError?
  for (index, name) in names.enumerated() {
    do throws(LibraryFileError) { try takeBack(index, name) } catch { failure = failure ?? error }
  }
  if let failure { throw failure }
}

/// A file that has no name yet.
private struct NewFile: Sendable {
  /// How many bytes it has.
  var byteCount: Int64 = 0
  /// Whether it never got whole, and somebody else may still have it open: a file takes room for as long.
  var isAbandoned = false
  /// Readable, until its end.
  let descriptor: CInt
  private let directory: CInt
  /// Its hidden name, where a file system knows no files without.
  private var temporary: String?

  init(in directory: CInt, _ subject: String, _ mode: UInt32) throws(LibraryFileError) {
    self.directory = directory
    let unnamed = linux_open_unnamed(directory, mode)
    if unnamed >= 0 {
      descriptor = unnamed
      return
    }
    // EOPNOTSUPP from file systems that cannot, EISDIR from kernels that do not know the flag.
    guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
      throw LibraryFileError("openat", subject)
    }
    let name = hiddenName()
    let flags = UInt64(O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
    let named = linux_openat2(directory, name, flags, UInt64(mode), 0)
    guard named >= 0 else { throw LibraryFileError("openat2", subject) }
    descriptor = named
    temporary = name
  }

  /// The call that gives it its name.
  var call: StaticString { temporary == nil ? "linkat" : "renameat2" }

  /// Gives it a name that is free.
  func place(_ name: UnsafePointer<CChar>) -> CInt {
    guard let temporary else { return linux_link_descriptor(descriptor, directory, name) }
    return renameToFree(directory, temporary, directory, name)
  }

  /// Takes the name back that it was given. It gets a hidden one: a file that has lost its last name cannot be linked
  /// again.
  mutating func takeBack(_ name: FileName) throws(LibraryFileError) {
    // The former went when it was given that name.
    temporary = nil
    temporary = try takeNameBack(name, of: descriptor, in: directory)
  }

  /// Takes what was written of it, if it is nobody's any more. It has had no name.
  func emptyIfAbandoned() {
    if isAbandoned { _ = ftruncate(descriptor, 0) }
  }

  /// Closes it; without a name it goes.
  func end() {
    emptyIfAbandoned()
    _ = OwnedDescriptor(owning: descriptor)
    // Gone already, if it was placed.
    if let temporary { unlinkat(directory, temporary, 0) }
  }
}
