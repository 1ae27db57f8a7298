internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Linux
internal import Varlink

struct Save: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add photos and videos to the library.",
    discussion: """
      Prints the id of each; an app that may only add gets receipts, which it cannot read back. What cannot \
      be added is named, the others are kept, and the exit status is 1.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The files.")
  var files: [String]

  @Option(help: ArgumentHelp("Add to this album.", valueName: "album"))
  var album: String?

  @Flag(help: "Each photo is followed by its movie: together they are one live photo.")
  var livePhoto = false

  func validate() throws {
    if livePhoto, files.count % 2 != 0 {
      throw ValidationError("--live-photo takes a photo and a movie each")
    }
  }

  func run() throws {
    var saving = Saving(
      connection: try global.connect(), files: files, album: album, arePairs: livePhoto)
    let end = Result { try saving.saveAll() }
    // What was saved before a batch failed is saved, and told.
    if !saving.isUntouched { try show(saving) }
    try end.get()
    if !saving.failures.isEmpty { throw CommandFailure(.failed) }
  }

  private func show(_ saving: Saving) throws {
    if global.json { return try Output.json(saving.reply) }
    for (file, id) in saving.saved { try Output.line("\(SafeText(id))  \(SafeText(file))") }
    for failure in saving.failures {
      Report.note("albumctl: \(files[livePhoto ? 2 * failure.item : failure.item]): \(failure.message)")
    }
  }
}

/// Files on their way into the library, in batches that fit a message.
private struct Saving {
  private let connection: AlbumConnection
  /// A photo or video each, and the movie of a live photo.
  private let items: [(file: String, movie: String?)]
  private let album: String?
  private(set) var saved: [(file: String, id: String)] = []
  private(set) var failures: [LibraryInterface.AddFailure] = []

  /// A message carries at most 253 descriptors (SCM_MAX_FD), and a process has 1024 by default.
  private static let batch = 64

  init(connection: AlbumConnection, files: [String], album: String?, arePairs: Bool) {
    self.connection = connection
    items =
      arePairs
      ? stride(from: 0, to: files.count, by: 2).map { (files[$0], files[$0 + 1]) } : files.map { ($0, nil) }
    self.album = album
  }

  /// Whether nothing became of any file yet.
  var isUntouched: Bool { saved.isEmpty && failures.isEmpty }

  /// What became of all so far, as one call would have told it.
  var reply: LibraryInterface.AddAssets.Reply {
    .init(ids: saved.map(\.id), failures: failures, completed: saved.count + failures.count)
  }

  mutating func saveAll() throws {
    for start in stride(from: 0, to: items.count, by: Self.batch) {
      try save(Array(start..<min(start + Self.batch, items.count)))
    }
    failures.sort { $0.item < $1.item }
  }

  private mutating func save(_ numbers: [Int]) throws {
    let descriptors = DescriptorBatch()
    var items: [LibraryInterface.AddItem] = []
    var sent: [Int] = []
    for number in numbers {
      let (path, movie) = self.items[number]
      do throws(SystemError) {
        let file = try open(path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var item = LibraryInterface.AddItem(fileDescriptor: 0, filename: name)
        if let movie { item.pairedVideoFileDescriptor = descriptors.append(try open(movie)) }
        item.fileDescriptor = descriptors.append(file)
        items.append(item)
        sent.append(number)
      } catch { fail(number, LibraryInterface.InvalidFileDescriptor.name, "\(error.reason).") }
    }
    guard !items.isEmpty else { return }
    do {
      let replies = try connection.add(items, descriptors, to: album)
      var last: LibraryInterface.AddAssets.Reply?
      while let reply = try replies.next() { last = reply }
      if let last { take(last, sent) }
    } catch {
      // A call of which nothing could be added tells only of its first item: ask for each by itself.
      guard error.item != nil else { throw error }
      if sent.count > 1 { for number in sent { try save([number]) } }
      if sent.count == 1 { fail(sent[0], error.remote?.name ?? "", error.message) }
    }
  }

  private func open(_ path: String) throws(SystemError) -> OwnedDescriptor {
    // O_NONBLOCK: opening a pipe would wait for its writer; the daemon refuses it.
    try OwnedDescriptor(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), call: "open")
  }

  private mutating func take(_ reply: LibraryInterface.AddAssets.Reply, _ sent: [Int]) {
    let failed = Set(reply.failures.map(\.item))
    let kept = sent.indices.filter { !failed.contains($0) }.map { items[sent[$0]].file }
    saved += zip(kept, reply.ids).map { (file: $0, id: $1) }
    for failure in reply.failures where sent.indices.contains(failure.item) {
      fail(sent[failure.item], failure.error, failure.message)
    }
  }

  private mutating func fail(_ number: Int, _ error: String, _ message: String) {
    failures.append(.init(item: number, error: error, message: message))
  }
}
