import AlbumAPI
import Glibc

extension Connection {
  /// Waits until every file has been read that can be: of one that cannot be, nothing is told.
  func waitUntilDescribed(_ deadline: Deadline) throws {
    // Both at one moment: a scan that ends between two looks has found files.
    while case let info = try info(), info.undescribed != 0 || info.state == .scanning {
      if deadline.hasPassed { throw Deadline.Passed(what: "descriptions") }
      usleep(10_000)
    }
  }
}
