internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Linux
internal import Words

struct Pick: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "pick",
    abstract: "Have the owner pick photos, and get what was picked.",
    discussion: """
      Needs no access to the library, and gives none: the app gets the files, once. With --request-access the \
      owner is asked as well whether the app may access what it does not see yet; what is allowed joins the \
      selection of a limited app. Exit status: 0 when something was picked; 4 when no agent can show the \
      picker; 5 when nothing was picked, or nothing of it may be accessed.
      """)

  @OptionGroup var global: GlobalOptions

  @Option(help: "At most so many; 0 is any number.")
  var limit = 0

  @Option(name: .customLong("type"), help: "Photos of this kind only: image, video or livePhoto. Repeatable.")
  var types: [LibraryInterface.MediaType] = []

  @Option(help: "At least so many, or none.")
  var minimum = 0

  @Option(
    help: ArgumentHelp(
      "Only photos for which this holds: a PickerFilter of io.albumd.Picker, in JSON.", valueName: "json"))
  var filter: PickerFilterArgument?

  @Option(
    help: ArgumentHelp(
      "This one, which the app sees, is picked at first. May be repeated.", valueName: "asset-id"))
  var preselect: [String] = []

  @Flag(help: "Ask for access to what the app does not see.")
  var requestAccess = false

  @Flag(help: "Get the sidecars (.xmp, .aae, .thm) as well.")
  var sidecars = false

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Save the files into this directory, of a live photo both; a name that exists gets a number.",
      valueName: "dir"))
  var output: String?

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is a number of photos, or 0") }
    if minimum < 0 { throw ValidationError("--minimum is a number of photos, or 0") }
    if limit > 0, minimum > limit { throw ValidationError("--minimum is at most --limit") }
    if let filter, let fault = filter.fault {
      throw ValidationError("--filter: this is wrong: \(fault)")
    }
  }

  func run() throws {
    // Before anybody is asked: what cannot be saved need not be picked.
    let directory = try output.map { try ExportDirectory($0) }
    let replies = try global.connect().pick(
      .init(
        mediaTypes: types.isEmpty ? nil : types, selectionLimit: limit == 0 ? nil : limit,
        requestAccess: requestAccess ? true : nil, language: Person.language,
        sidecars: sidecars ? true : nil, filter: filter?.filter,
        preselected: preselect.isEmpty ? nil : preselect, minimum: minimum == 0 ? nil : minimum))
    var (count, inaccessible) = (0, 0)
    while let (reply, files) = try replies.nextWithFiles() {
      for item in reply.items {
        guard let saved = try directory.flatMap({ try save(item, files, $0) }) else {
          try show(item, file: nil)
          continue
        }
        for file in saved { try show(item, file: file) }
      }
      if let message = reply.message { Report.note(message) }
      count += reply.items.count
      inaccessible = reply.inaccessibleCount
    }
    if count == inaccessible {
      throw CommandFailure(.refused, count == 0 && !global.json ? global.words[.pickedNone] : nil)
    }
  }

  /// Saves what was picked: two files of a live photo, and sidecars.
  ///
  /// - Returns: their paths.
  private func save(
    _ item: PickerInterface.PickedItem, _ files: DescriptorBatch, _ directory: ExportDirectory
  ) throws -> [String]? {
    guard let index = item.fileDescriptor, let file = files.take(index) else { return nil }
    let wanted = ExportName(filename: item.filename, percentEncoded: item.percentEncodedFilename)
    let name = try directory.save(file, as: wanted)
    var saved = [name]
    if let index = item.pairedVideoFileDescriptor, let video = files.take(index) {
      let wanted = name.replacingExtension(with: item.pairedVideoExtension ?? "mov")
      saved.append(try directory.save(video, as: wanted))
    } else if item.mediaType == .livePhoto {
      Report.note("albumctl: \(global.words[.pickedWithoutMovie, ["file": item.filename]])")
    }
    for sidecar in item.sidecars ?? [] {
      guard let file = files.take(sidecar.fileDescriptor) else { continue }
      saved.append(
        try directory.save(file, as: name.replacingExtension(with: sidecar.sidecarExtension)))
    }
    return saved.map(directory.path)
  }

  private func show(_ item: PickerInterface.PickedItem, file: String?) throws {
    if global.json { return try Output.json(PickedFile(item, file: file)) }
    let text =
      item.accessible ? file ?? item.filename : global.words[.pickedInaccessible, ["file": item.filename]]
    try Output.line(item.id.map { "\(SafeText($0))  \(SafeText(text))" } ?? "\(SafeText(text))")
  }
}

/// An item without the number of its descriptor, which means nothing outside of its message.
private struct PickedFile: Encodable {
  let id: String?
  let filename: String
  let percentEncodedFilename: String?
  let mediaType: LibraryInterface.MediaType
  let accessible: Bool
  let file: String?

  init(_ item: PickerInterface.PickedItem, file: String?) {
    id = item.id
    filename = item.filename
    percentEncodedFilename = item.percentEncodedFilename
    mediaType = item.mediaType
    accessible = item.accessible
    self.file = file
  }
}
