internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Logging
internal import PictureAPI
internal import Storage

/// What was found about places in files of the library: in memory, and beside what the files say of themselves in the index,
/// so that none is looked through twice while it stays as it is (S56).
@EventLoopActor
final class PlaceFindings {
  /// A file of an asset.
  struct File {
    let asset: AssetID
    let resource: Link.Resource
  }

  private let store: any LibraryReading
  private let library: LibraryMonitor
  private let log: Logger
  private var known = KnownPlaces()
  private var waiting: [DescriptionWriter.Overwritings] = []
  private lazy var writing = Timer { [unowned self] in write() }

  /// Findings that are noted in one batch, which keeps the loop for as long.
  private static let notedTogether = 64
  private static let longestWait = Duration.milliseconds(500)

  init(store: any LibraryReading, library: LibraryMonitor, log: Logger) {
    self.store = store
    self.library = library
    self.log = log
  }

  /// What was found in these very bytes for a user; nil where they were not looked through for it.
  func finding(in version: FileVersion, of file: File, by user: UInt32) -> KnownPlaces.Finding? {
    let key = KnownPlaces.Key(user: user, version: version)
    if let finding = known[key] { return finding }
    guard let bytes = try? store.described.overwritings(of: file.asset, file.resource, version.stamp),
      let overwritings = OverwritingBytes.decode(bytes, for: user, fileSize: Int(version.byteCount))
    else { return nil }
    known.note(.overwrite(overwritings), of: key)
    return .overwrite(overwritings)
  }

  /// Bytes were looked through for a user.
  func note(_ finding: KnownPlaces.Finding, in version: FileVersion, of file: File, by user: UInt32) {
    known.note(finding, of: .init(user: user, version: version))
    // What cannot be followed may be by another version.
    guard case .overwrite(let overwritings) = finding,
      let bytes = OverwritingBytes.encode(overwritings, for: user)
    else {
      return
    }
    waiting.append(.init(asset: file.asset, resource: file.resource, stamp: version.stamp, bytes: bytes))
    if waiting.count >= Self.notedTogether { return write() }
    if waiting.count == 1 { writing.arm(after: Self.longestWait, accuracy: Self.longestWait) }
  }

  /// One that is lost is found again.
  private func write() {
    writing.disarm()
    let found = waiting
    waiting = []
    do { try library.edits.descriptions.note(found) } catch {
      log.notice("Where files say where they were taken could not be noted: \(error)")
    }
  }
}
