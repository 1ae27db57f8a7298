internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

/// Asks the kernel whether anyone writes a file (S40).
///
/// It is asked for a read lease (F_SETLEASE, fcntl(2)), which it refuses while anyone has the file open for writing;
/// closing the file gives the lease back. Whoever opens it in between waits that long and no longer; SIGIO, which
/// tells a holder to hurry, must be ignored.
struct WriterCheck {
  /// Unknown where the daemon does not own the file, the file system has no leases, or the file is empty: IN_CREATE
  /// is told in the middle of open(2), before the writer counts as one.
  private(set) var result = Completeness.beingWritten
  /// What the file is, read while nobody could begin to write it; of one that is complete.
  private(set) var facts = linux_facts()

  init(of name: UnsafePointer<CChar>, in directory: CInt) {
    let opened = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard opened >= 0 else {
      let isKnown = linux_look(directory, name, &facts) == 0
      result = .unknown(quietFor: isKnown ? quiet : 0)
      return
    }
    let file = OwnedDescriptor(owning: opened)
    let isLeased = linux_fcntl_int(file.number, CInt(LINUX_F_SETLEASE), CInt(F_RDLCK)) == 0
    if !isLeased, errno == EAGAIN { return }
    let isKnown = linux_look(file.number, "", &facts) == 0
    result = isLeased && isKnown && facts.size > 0 ? .complete : .unknown(quietFor: isKnown ? quiet : 0)
  }

  /// For how long it has not been written to, in nanoseconds. A time to come, by a camera's clock or because the machine's was
  /// set back, is none of this moment either, and a file with it must not wait until then; but one of the next day may be
  /// what a server calls now whose clock is ahead, and is written at.
  private var quiet: Int64 {
    let (age, overflows) = RealTime.nanoseconds.subtractingReportingOverflow(facts.modified)
    return overflows ? .max : age < 0 && age > -Self.day ? 0 : Int64(clamping: age.magnitude)
  }

  private static let day: Int64 = 86_400 * 1_000_000_000
}
