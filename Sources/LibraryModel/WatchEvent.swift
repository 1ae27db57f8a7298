/// One event of inotify(7).
public struct WatchEvent: Hashable, Sendable {
  /// What happened: the IN_* bits.
  public struct Mask: OptionSet, Hashable, Sendable {
    /// IN_* bits.
    public let rawValue: UInt32
    /// IN_* bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
    /// IN_ATTRIB: times, permissions, number of links.
    public static let attributes = Mask(rawValue: 0x4)
    /// IN_CLOSE_WRITE.
    public static let closeWrite = Mask(rawValue: 0x8)
    /// IN_MOVED_FROM.
    public static let movedFrom = Mask(rawValue: 0x40)
    /// IN_MOVED_TO.
    public static let movedTo = Mask(rawValue: 0x80)
    /// IN_CREATE.
    public static let create = Mask(rawValue: 0x100)
    /// IN_DELETE.
    public static let delete = Mask(rawValue: 0x200)
    /// IN_DELETE_SELF.
    public static let deleteSelf = Mask(rawValue: 0x400)
    /// IN_MOVE_SELF.
    public static let moveSelf = Mask(rawValue: 0x800)
    /// IN_UNMOUNT.
    public static let unmount = Mask(rawValue: 0x2000)
    /// IN_Q_OVERFLOW: events were dropped.
    public static let overflow = Mask(rawValue: 0x4000)
    /// IN_IGNORED: the watch has gone.
    public static let ignored = Mask(rawValue: 0x8000)
    /// IN_ISDIR: the name is a directory's.
    public static let isDirectory = Mask(rawValue: 0x4000_0000)
  }

  /// The watch's number; -1 for an overflow.
  public let watch: Int32
  /// What happened.
  public let mask: Mask
  /// What the two halves of a rename have in common; otherwise 0.
  public let cookie: UInt32
  /// The name in the watched directory; empty if it is about that directory itself.
  public let name: FileName

  /// An event.
  public init(watch: Int32, mask: Mask, cookie: UInt32 = 0, name: FileName = FileName("")) {
    self.watch = watch
    self.mask = mask
    self.cookie = cookie
    self.name = name
  }
}
