internal import Glibc

extension PicturePlan.Limits {
  /// Those of a machine with so many CPUs for this one: as many processes, minus one, at most four and at least one; and
  /// for other clients as many more as make four, or one (S53).
  init(processors: Int) {
    self.init()
    processes = max(1, min(4, processors - 1))
    others = max(1, 4 - processes)
  }

  /// Those of this machine.
  static var ofThisMachine: Self { Self(processors: sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
}
