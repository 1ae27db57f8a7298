internal import CLinux
package import LibraryModel
package import Linux

/// A file of an asset, open for reading, and which version of it that was: what is read of it holds for that one only.
package final class ReadableFile {
  /// The file.
  package let descriptor: OwnedDescriptor
  /// What it was when it was opened.
  package let version: ReadFile.Version

  /// - Throws: ``SystemError``.
  init(_ descriptor: consuming OwnedDescriptor, on volume: VolumeNumber) throws(SystemError) {
    version = try ReadFile.Version(descriptor.number, on: volume)
    self.descriptor = descriptor
  }

  /// Whether it is still that version.
  package var isUnchanged: Bool {
    (try? ReadFile.Version(descriptor.number, on: version.identity.volume)) == version
  }
}

extension ReadFile.Version {
  /// What the disk says of an open file: a server in user space is asked, and may be slow.
  init(_ descriptor: CInt, on volume: VolumeNumber) throws(SystemError) {
    var facts = linux_facts()
    // Whoever writes it by another of its names, the kernel may not have noticed (race 39).
    guard linux_look_anew(descriptor, "", &facts) == 0 else { throw SystemError("statx") }
    self.init(FileFacts(facts, on: volume))
  }

  /// A file that was just written here, as far as the kernel knows it: a server in user space is asked only for what it has
  /// forgotten.
  init(justWritten descriptor: CInt, on volume: VolumeNumber) throws(SystemError) {
    var facts = linux_facts()
    guard linux_look(descriptor, "", &facts) == 0 else { throw SystemError("statx") }
    self.init(FileFacts(facts, on: volume))
  }
}
