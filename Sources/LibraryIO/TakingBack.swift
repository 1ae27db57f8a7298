internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

// unlink(2) cannot be told which file is meant. So what has a name is given a hidden one first, which nobody guesses,
// and looked at; whatever else it is than was meant gets its name again (S43).

/// Takes the name back that a file was given, unless somebody has saved another one under it meanwhile.
///
/// - Parameter file: open.
/// - Returns: the hidden name that the file has instead; `nil` when it had that name no more.
/// - Throws: ``LibraryFileError``: the name could not be taken, or what was saved under it could not be given back, and
///   has the hidden name that the error is about.
func takeNameBack(
  _ name: FileName, of file: CInt, in directory: CInt
) throws(LibraryFileError) -> String? {
  let hidden = hiddenName()
  // Not renameToFree(_:_:_:_:): its unlink(2) would be one of a name that everybody knows. The hidden one is free.
  guard withName(name, { linux_rename(directory, $0, directory, hidden, 0) }) == 0 else {
    if errno == ENOENT { return nil }
    throw LibraryFileError("renameat2", name.description)
  }
  var (own, found) = (linux_facts(), linux_facts())
  if linux_look(file, "", &own) == 0, linux_look(directory, hidden, &found) == 0,
    FileFacts(own, on: .unknown).identity == FileFacts(found, on: .unknown).identity
  {
    return hidden
  }
  try giveBack(hidden, as: name, in: directory)
  return nil
}

/// Gives a file its name again; where somebody else has saved under that by now, one with a number.
func giveBack(_ hidden: String, as name: FileName, in directory: CInt) throws(LibraryFileError) {
  _ = try NumberedNames(present: name).claim("renameat2", hidden) { name, _ in
    renameToFree(directory, hidden, directory, name)
  }
}

/// A name that nothing has, which is neither watched nor counted (S40).
func hiddenName() -> String {
  ".albumd-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).part"
}
