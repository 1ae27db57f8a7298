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

  @Option(help: "What for: keep, or wallpaper. Says then what to do next.")
  var purpose: LibraryInterface.SavePurpose?

  func run() throws {
    var saving = Saving(connection: try global.connect(), files: files, album: album, purpose: purpose)
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
      Report.note("albumctl: \(files[failure.item]): \(failure.message)")
    }
    if let guide = saving.guide { Report.guide(guide) }
  }
}

/// Files on their way into the library, in batches that fit a message.
private struct Saving {
  let connection: AlbumConnection
  let files: [String]
  let album: String?
  let purpose: LibraryInterface.SavePurpose?
  let language = PreferredLanguages.tags { getenv($0).map { String(cString: $0) } }.first
  private(set) var guide: AuthorizationInterface.Guide?
  private(set) var saved: [(file: String, id: String)] = []
  private(set) var failures: [LibraryInterface.AddFailure] = []

  /// A message carries at most 253 descriptors (SCM_MAX_FD), and a process has 1024 by default.
  private static let batch = 128

  init(
    connection: AlbumConnection, files: [String], album: String?, purpose: LibraryInterface.SavePurpose?
  ) {
    self.connection = connection
    self.purpose = purpose
    self.files = files
    self.album = album
  }

  /// Whether nothing became of any file yet.
  var isUntouched: Bool { saved.isEmpty && failures.isEmpty }

  /// What became of all so far, as one call would have told it.
  var reply: LibraryInterface.AddAssets.Reply {
    .init(ids: saved.map(\.id), failures: failures, completed: saved.count + failures.count, guide: guide)
  }

  mutating func saveAll() throws {
    for start in stride(from: 0, to: files.count, by: Self.batch) {
      try save(Array(start..<min(start + Self.batch, files.count)))
    }
    failures.sort { $0.item < $1.item }
  }

  private mutating func save(_ numbers: [Int]) throws {
    let descriptors = DescriptorBatch()
    var items: [LibraryInterface.AddItem] = []
    var sent: [Int] = []
    for number in numbers {
      let path = files[number]
      do throws(SystemError) {
        // O_NONBLOCK: opening a pipe would wait for its writer; the daemon refuses it.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let file = try OwnedDescriptor(Glibc.open(path, flags), call: "open")
        let name = path.split(separator: "/").last.map(String.init) ?? path
        items.append(.init(fileDescriptor: descriptors.append(file), filename: name))
        sent.append(number)
      } catch { fail(number, LibraryInterface.InvalidFileDescriptor.name, "\(error.reason).") }
    }
    guard !items.isEmpty else { return }
    do {
      let replies = try connection.add(items, descriptors, to: album, for: purpose, language: language)
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

  private mutating func take(_ reply: LibraryInterface.AddAssets.Reply, _ sent: [Int]) {
    guide = reply.guide ?? guide
    let failed = Set(reply.failures.map(\.item))
    let kept = sent.indices.filter { !failed.contains($0) }.map { files[sent[$0]] }
    saved += zip(kept, reply.ids).map { (file: $0, id: $1) }
    for failure in reply.failures where sent.indices.contains(failure.item) {
      fail(sent[failure.item], failure.error, failure.message)
    }
  }

  private mutating func fail(_ number: Int, _ error: String, _ message: String) {
    failures.append(.init(item: number, error: error, message: message))
  }
}
