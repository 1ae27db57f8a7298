internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux

/// Where copies are written, synced and removed: on one thread, but those of a root whose file system may not answer on
/// one of its own.
@EventLoopActor
final class DiskThreads {
  private let contents: LibraryContents
  private let shared = SerialThread()
  private var apart: [RootID: SerialThread] = [:]

  init(_ contents: LibraryContents) { self.contents = contents }

  /// That for what is in a directory.
  subscript(_ directory: DirectoryID) -> SerialThread {
    guard let root = contents.rootApart(of: directory) else { return shared }
    let thread = apart[root] ?? SerialThread()
    apart[root] = thread
    return thread
  }
}
