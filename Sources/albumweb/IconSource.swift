internal import AlbumWeb
internal import CLinux
internal import Glibc
internal import Linux
internal import NIOCore
internal import Synchronization

/// The icons that manifests name (S62): a name of the icon theme that every desktop has, or a path.
///
/// Looked for away from the page's threads, and kept for a while. Only what a manifest named is ever read. It may lie on a
/// file system that does not answer: one thread reads, and no page waits longer than a moment for it.
final class IconSource: Sendable {
  /// A picture that a browser shows.
  struct Icon: Sendable {
    let bytes: [UInt8]
    let mediaType: String
  }

  private struct State {
    var book = IconBook<Icon>()
    /// Pages that wait until all is read.
    var pages: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastPage = 0
  }

  /// The most bytes of an icon.
  private static let byteLimit = 512 << 10
  /// How long a page waits; then it has a letter in place of the icon.
  private static let patience = TimeAmount.milliseconds(200)

  private let state = Mutex(State())
  private let directories: [String]

  /// - Parameter directories: of icon themes and pictures, the person's own first.
  init(directories: [String] = IconSource.directories) { self.directories = directories }

  /// Reads those that are not known. Afterwards ``icon(_:)`` has them, if they came in time.
  func load(_ names: [String]) async {
    await withCheckedContinuation { page in
      let (begins, number): (Bool, Int?) = state.withLock { state in
        let (begins, waits) = state.book.want(names, now: Int64(Clock.sinceBoot))
        guard waits else { return (begins, nil) }
        state.lastPage += 1
        state.pages[state.lastPage] = page
        return (begins, state.lastPage)
      }
      guard let number else { return page.resume() }
      if begins { ThreadReserve.shared.run { [self] in read() } }
      LoopTasks.loops.any().scheduleTask(in: Self.patience) { [self] in giveUp(number) }
    }
  }

  /// An icon that was loaded.
  func icon(_ name: String) -> Icon? { state.withLock { $0.book.icon(name) } }

  private func giveUp(_ number: Int) {
    let page = state.withLock { state in
      let page = state.pages.removeValue(forKey: number)
      if page != nil { state.book.gaveUp() }
      return page
    }
    page?.resume()
  }

  private func read() {
    while true {
      let (name, pages) = state.withLock { state in
        if let name = state.book.next() { return (name as String?, [CheckedContinuation<Void, Never>]()) }
        defer { state.pages = [:] }
        return (nil, Array(state.pages.values))
      }
      for page in pages { page.resume() }
      guard let name else { return }
      let icon = Self.find(name, in: directories)
      state.withLock { $0.book.read(name, icon, now: Int64(Clock.sinceBoot)) }
    }
  }

  // MARK: Where icons are

  /// By the XDG base directories (https://specifications.freedesktop.org/basedir-spec), and where Flatpak and snapd put
  /// those of their apps.
  private static var directories: [String] {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let home = value("HOME") ?? "/"
    let own = value("XDG_DATA_HOME") ?? "\(home)/.local/share"
    let shared = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map {
      String($0)
    }
    return [own] + shared + [
      "\(own)/flatpak/exports/share", "/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop",
    ]
  }

  private static func find(_ name: String, in directories: [String]) -> Icon? {
    if name.hasPrefix("/") { return read(name) }
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/") else { return nil }
    // Large ones first: they are shown at twice their size on a phone.
    let sizes = ["scalable", "256x256", "128x128", "512x512", "64x64", "48x48"]
    for directory in directories {
      for size in sizes {
        let ending = size == "scalable" ? "svg" : "png"
        if let icon = read("\(directory)/icons/hicolor/\(size)/apps/\(name).\(ending)") { return icon }
      }
      for ending in ["svg", "png"] {
        if let icon = read("\(directory)/pixmaps/\(name).\(ending)") { return icon }
      }
    }
    return nil
  }

  private static func read(_ path: String) -> Icon? {
    // Not held up by a pipe that has the name.
    guard let file = try? OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), call: "open") else {
      return nil
    }
    var status = stat()
    guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= byteLimit
    else { return nil }
    let number = file.number
    let bytes = [UInt8](unsafeUninitializedCapacity: byteLimit) { buffer, count in
      var length = 0
      while length < byteLimit {
        let more = pread(number, buffer.baseAddress?.advanced(by: length), byteLimit - length, off_t(length))
        guard more > 0 else { break }
        length += more
      }
      count = length
    }
    return mediaType(of: bytes).map { Icon(bytes: bytes, mediaType: $0) }
  }

  /// By what it begins with: PNG, or SVG.
  private static func mediaType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    let start = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    if start.starts(with: "<?xml".utf8) || start.starts(with: "<svg".utf8) || start.starts(with: "<!--".utf8)
    {
      return "image/svg+xml"
    }
    return nil
  }
}
