internal import Glibc

extension PicturePlan.Limits {
  /// As many processes as there are CPUs for this one, minus one, at most four and at least one (S53).
  static var ofThisMachine: Self {
    var limits = Self()
    limits.processes = max(1, min(4, sysconf(CInt(_SC_NPROCESSORS_ONLN)) - 1))
    return limits
  }
}
