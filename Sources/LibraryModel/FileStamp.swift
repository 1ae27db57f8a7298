/// Which bytes a file has, as far as its inode tells: ranges that were found in it belong to exactly these (S56).
package struct FileStamp: Hashable, Sendable {
  /// The file in its file system.
  package let inode: UInt64
  /// Its length.
  package let byteCount: Int64
  /// When its content changed last, nanoseconds since 1970.
  package let modified: Int64
  /// When anything about it changed last.
  package let changed: Int64

  /// A file as it was.
  package init(inode: UInt64, byteCount: Int64, modified: Int64, changed: Int64) {
    self.inode = inode
    self.byteCount = byteCount
    self.modified = modified
    self.changed = changed
  }
}
