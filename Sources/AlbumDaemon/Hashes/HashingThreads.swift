internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux

/// A file that is hashed, as the loop sees it.
@EventLoopActor
final class HashingTurn {
  /// As it was when it was opened.
  let asset: Asset
  let file: HashingFile
  /// What it has a turn for; nil while it has none, or while nobody waits for that any longer.
  var job: HashPlan.Job?
  /// The root that may not answer, if it is in one.
  var root: RootID?
  /// How far it was when it was looked at last.
  var seen: Int64?

  init(asset: Asset, file: HashingFile) {
    self.asset = asset
    self.file = file
  }
}

/// Where files are read that are hashed: on one thread, but those of a root whose file system may not answer on one of its own. A
/// root that does not answer keeps that one, and gets no other.
@EventLoopActor
final class HashingThreads {
  private let common = SerialThread()
  private var apart: [RootID: SerialThread] = [:]
  private var stuck: Set<RootID> = []

  /// Whether nothing of a root is to be read now.
  func areStuck(_ root: RootID) -> Bool { stuck.contains(root) }

  /// A root does not answer.
  func leave(_ root: RootID) { stuck.insert(root) }

  /// It does again.
  func answer(_ root: RootID) { stuck.remove(root) }

  /// Has something read.
  func run(_ root: RootID?, _ body: @escaping @Sendable () -> Void) {
    guard let root else { return common.async(body) }
    let thread = apart[root] ?? SerialThread()
    apart[root] = thread
    thread.async(body)
  }
}
