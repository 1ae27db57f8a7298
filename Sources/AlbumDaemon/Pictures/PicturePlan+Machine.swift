internal import Glibc

extension PicturePlan.Limits {
  /// Those of a machine with so many CPUs for this one: as many processes, minus one, at most four and at least one (S53).
  init(processors: Int) {
    self.init()
    processes = max(1, min(4, processors - 1))
  }

  /// Those of this machine.
  static var ofThisMachine: Self { Self(processors: sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
}
