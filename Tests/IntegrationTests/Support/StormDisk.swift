import CLinux
import Foundation
import Glibc
import Linux
import TestSupport

/// The directories of a storm: random things are done to what is in them, by other programs than the daemon.
///
/// Every content has a length of its own, by which a file is known again whatever its names are.
struct StormDisk {
  /// One root, and another that can be taken away.
  enum Root: CaseIterable {
    case photos, more
  }

  let library: TemporaryLibrary
  var random: SeededGenerator
  /// Whether the second root is somewhere else.
  private(set) var isMoreAway = false
  /// Whether something is mounted over it, so that nothing can be done in it.
  private var cover: SmallDisk?
  private var length = 0

  init(_ library: TemporaryLibrary, seed: UInt64) throws {
    self.library = library
    random = SeededGenerator(seed: seed)
    library.moreRoots = ["\(library.directory)/more"]
    for root in Root.allCases {
      for name in ["a", "b", "a/c"] {
        try library.makeAlbum("\(path(root))/\(name)")
        try write("\(path(root))/\(name)/kept.jpg")
      }
    }
    for name in [".flood-0", ".flood-1"] { try library.add(name) }
  }

  // MARK: Where

  /// Where a root is now, as the library's own paths are.
  private func path(_ root: Root) -> String {
    switch root {
    case .photos: "../photos"
    case .more: isMoreAway ? "../more.away" : "../more"
    }
  }

  private mutating func place(in root: Root) -> String {
    let name = ["", "/a", "/b", "/a/c", "/d"].randomElement(using: &random) ?? ""
    return path(root) + name
  }

  /// Two directories, between which things can be moved within the library.
  private mutating func places() -> (String, String) {
    let roots: [Root] = cover == nil ? Root.allCases : [.photos]
    let one = roots.randomElement(using: &random) ?? .photos
    let other = isMoreAway ? one : roots.randomElement(using: &random) ?? .photos
    return (place(in: one), place(in: other))
  }

  // MARK: What is done

  /// Does so many things. What cannot be done on this disk is not done.
  mutating func act(_ count: Int) {
    for _ in 0..<count { act() }
  }

  private mutating func act() {
    let (one, two) = places()
    let file = "\(one)/\(Int.random(in: 0..<6, using: &random)).jpg"
    let other = "\(two)/\(Int.random(in: 0..<6, using: &random)).jpg"
    let isWithin = !Root.allCases.map(path).contains { $0 == one || $0 == two }
    switch Int.random(in: 0..<17, using: &random) {
    case 0...3: try? write(file)
    case 4, 5: try? library.move(file, to: other)
    case 6: unlink(library.path(file))
    case 7: try? library.link(file, to: other)
    case 8:
      try? write("\(one)/.tmp")
      try? library.move("\(one)/.tmp", to: file)
    case 9: exchange(file, other)
    case 10: try? append(file)
    case 11...14 where isWithin: actOnDirectory(one, two)
    default: mkdir(library.path(two), 0o755)
    }
  }

  private mutating func actOnDirectory(_ one: String, _ two: String) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1: try? library.move(one, to: two)
    case 2: exchange(one, two)
    default: try? library.remove(one)
    }
  }

  /// Writes a file into a directory that is there.
  private mutating func write(_ name: String) throws {
    length += 1
    let directory = name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
    guard access(library.path(directory), F_OK) == 0 else { return }
    try library.add(name, Photo.jpeg(String(repeating: "x", count: length)))
  }

  private mutating func append(_ name: String) throws {
    var status = stat()
    guard lstat(library.path(name), &status) == 0 else { return }
    length += 1
    let more = Photo.jpeg(String(repeating: "x", count: length)).count - Int(status.st_size)
    try writeWhole(library.path(name), [UInt8](repeating: 0x78, count: max(0, more)), O_APPEND)
  }

  private func exchange(_ name: String, _ other: String) {
    linux_rename(AT_FDCWD, library.path(name), AT_FDCWD, library.path(other), 2)
  }

  // MARK: What is done to the roots

  /// More events than the kernel keeps for a daemon that does not read (inotify(7), max_queued_events).
  func flood() throws {
    let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let count = (Int(limit.prefix { $0.isNumber }) ?? 16384) + 100
    for number in 0..<count {
      // Two in turns: the same event again would be one.
      guard utimensat(AT_FDCWD, library.path(".flood-\(number % 2)"), nil, 0) == 0 else {
        throw SystemError("utimensat")
      }
    }
  }

  /// The second root is taken away: there is nothing at its path.
  mutating func takeAway() throws {
    try library.move("../more", to: "../more.away")
    isMoreAway = true
  }

  mutating func bringBack() throws {
    try library.move("../more.away", to: "../more")
    isMoreAway = false
  }

  /// Something empty is mounted over the second root.
  mutating func coverUp() throws { cover = try SmallDisk(at: library.path("../more"), kilobytes: 64) }
  mutating func uncover() { cover = nil }
}

// MARK: What is there

extension StormDisk {
  /// A file with all its names.
  struct File: Hashable {
    var modified: Int64 = 0
    var names: Set<String> = []
    /// Its directories beneath their roots, in order; a root is no album (S47).
    var albums: [String] = []
    /// One of its paths.
    var path = ""
  }

  /// What counts: files by their length, and the paths of albums beneath their roots.
  struct Content: Equatable {
    var files: [Int: File] = [:]
    var albums: [String] = []
  }

  func content() -> Content {
    var content = Content()
    for root in Root.allCases { collect(library.path(path(root)), "", &content) }
    for length in content.files.keys { content.files[length]?.albums.sort() }
    content.albums.sort()
    return content
  }

  private func collect(_ directory: String, _ album: String, _ content: inout Content) {
    var names: Set<String> = []
    for name in entries(of: directory) where !name.hasPrefix(".") {
      var status = stat()
      let path = "\(directory)/\(name)"
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        let inner = album.isEmpty ? name : "\(album)/\(name)"
        content.albums.append(inner)
        collect(path, inner, &content)
        continue
      }
      var file = content.files[Int(status.st_size)] ?? File()
      // Two names in one album are one membership.
      if file.names.isEmpty || !names.contains("\(status.st_ino)"), !album.isEmpty {
        file.albums.append(album)
      }
      names.insert("\(status.st_ino)")
      file.modified = Int64(status.st_mtim.tv_sec) * 1_000_000 + Int64(status.st_mtim.tv_nsec) / 1000
      file.names.insert(name)
      file.path = path
      content.files[Int(status.st_size)] = file
    }
  }
}
