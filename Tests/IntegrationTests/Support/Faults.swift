import Foundation
import Glibc

/// What can be wrong with the disk and the clock of a daemon, until it is not any more (Tests/Faults/faults.c).
final class Faults {
  /// What fails.
  enum Kind: String, CaseIterable {
    /// Writing.
    case write
    /// Bringing to disk.
    case sync
  }

  private let library: TemporaryLibrary

  /// The faults of a daemon that is not started yet.
  ///
  /// - Parameter path: beneath which files fail.
  init(_ library: TemporaryLibrary, beneath path: String) throws {
    self.library = library
    let directory = "\(library.directory)/faults"
    try library.makeAlbum("../faults")
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Faults/faults.c").standardizedFileURL.path()
    let programs = getenv("PATH").map { String(cString: $0) } ?? ""
    // Swift brings clang along.
    let exit = try ChildProcess(
      "/usr/bin/env",
      ["PATH=\(programs)", "clang", "-shared", "-fPIC", "-O1", "-o", "\(directory)/faults.so", source],
      log: library.log
    ).wait()
    guard exit == .status(0) else {
      throw DaemonProcess.Failure("clang ended with \(exit):\n\(library.logText)")
    }
    library.environment += [
      "LD_PRELOAD=\(directory)/faults.so", "FAULTS=\(directory)", "FAULTS_BENEATH=\(path)",
    ]
  }

  /// From now on it fails.
  ///
  /// - Parameter code: with that error, errno(3).
  func begin(_ kind: Kind, _ code: CInt = EIO) throws { try set(kind.rawValue, "\(code)") }

  /// From now on it does not.
  func end(_ kind: Kind) throws { try library.remove("../faults/\(kind.rawValue)") }

  /// It is killed before it writes, or brings to disk, for that time, counted from now on. A later daemon counts anew.
  func kill(before step: Int) throws { try set("kill", "\(step)") }

  /// It is killed no more.
  func endKilling() throws { try library.remove("../faults/kill") }

  /// The clock is so many seconds ahead of the others'.
  func setClock(ahead seconds: Int) throws { try set("clock", "\(seconds)") }

  private func set(_ name: String, _ text: String) throws {
    // Whole at once: the daemon looks at any time.
    try library.write("\(library.directory)/faults/.\(name)", text)
    try library.move("../faults/.\(name)", to: "../faults/\(name)")
  }
}
