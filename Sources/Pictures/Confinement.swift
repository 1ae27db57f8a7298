internal import CPictures
internal import Glibc
package import Linux

/// The sandbox of a process that reads pictures (docs/decisions/0091-the-sandbox.md).
package enum Confinement {
  /// What of it there is.
  package enum Kind: Hashable, Sendable {
    /// All of it.
    case whole
    /// All but Landlock, which this kernel does not have.
    case withoutLandlock
  }

  /// Loads what reads pictures; nothing can be loaded once the process is confined. Where that comes to no end, as where no
  /// thread is to be had, the process does, after a minute of the processor: whoever started it may be gone.
  ///
  /// - Throws: ``Linux/SystemError`` when a library cannot be started.
  package static func loadLibraries() throws(SystemError) {
    pictures_reset_signals()
    pictures_set_deadline(600, 60)
    defer { pictures_set_deadline(0, 0) }
    guard pictures_load_libraries() == 0 else {
      throw SystemError("dlopen", code: ELIBACC, subject: "libvips, libgexiv2")
    }
  }

  /// Closes what this process was started with beyond a descriptor: whoever starts it may have left something open.
  package static func closeAll(after descriptor: CInt) { pictures_close_from(UInt32(descriptor + 1)) }

  /// Takes from this process for good what reading pictures does not take.
  ///
  /// - Parameter socket: a connected one: when the other side ends it this process ends, whatever it is at.
  /// - Throws: ``Linux/SystemError``: then nothing may be read.
  package static func enter(endingWith socket: CInt) throws(SystemError) -> Kind {
    let limits = pictures_limits(
      memory: 1 << 30, processor: 3600, descriptors: 64, file: 64 << 20, socket: socket)
    switch pictures_confine(limits) {
    case CInt(PICTURES_CONFINED.rawValue): return .whole
    case CInt(PICTURES_WITHOUT_LANDLOCK.rawValue): return .withoutLandlock
    default: throw SystemError("seccomp_load")
    }
  }
}
