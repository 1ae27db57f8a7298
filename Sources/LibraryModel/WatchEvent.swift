/// One event of inotify(7).
package struct WatchEvent: Hashable, Sendable {
  /// What happened: the IN_* bits.
  package struct Mask: OptionSet, Hashable, Sendable {
    /// IN_* bits.
    package let rawValue: UInt32
    /// IN_* bits.
    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
    /// IN_ATTRIB: times, permissions, number of links.
    package static let attributes = Mask(rawValue: 0x4)
    /// IN_CLOSE_WRITE.
    package static let closeWrite = Mask(rawValue: 0x8)
    /// IN_MOVED_FROM.
    package static let movedFrom = Mask(rawValue: 0x40)
    /// IN_MOVED_TO.
    package static let movedTo = Mask(rawValue: 0x80)
    /// IN_CREATE.
    package static let create = Mask(rawValue: 0x100)
    /// IN_DELETE.
    package static let delete = Mask(rawValue: 0x200)
    /// IN_DELETE_SELF.
    package static let deleteSelf = Mask(rawValue: 0x400)
    /// IN_MOVE_SELF.
    package static let moveSelf = Mask(rawValue: 0x800)
    /// IN_UNMOUNT.
    package static let unmount = Mask(rawValue: 0x2000)
    /// IN_Q_OVERFLOW: events were dropped.
    package static let overflow = Mask(rawValue: 0x4000)
    /// IN_IGNORED: the watch has gone.
    package static let ignored = Mask(rawValue: 0x8000)
    /// IN_ISDIR: the name is a directory's.
    package static let isDirectory = Mask(rawValue: 0x4000_0000)
  }

  /// The watch's number; -1 for an overflow.
  package let watch: Int32
  /// What happened.
  package let mask: Mask
  /// What the two halves of a rename have in common; otherwise 0.
  package let cookie: UInt32
  /// The name in the watched directory; empty if it is about that directory itself.
  package let name: FileName

  /// An event.
  package init(watch: Int32, mask: Mask, cookie: UInt32 = 0, name: FileName = FileName("")) {
    self.watch = watch
    self.mask = mask
    self.cookie = cookie
    self.name = name
  }
}
