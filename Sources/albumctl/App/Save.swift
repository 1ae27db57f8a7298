internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words
internal import Glibc
internal import Varlink

struct Save: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Add photos and videos to the library.",
    discussion: """
      Prints the id of each; an app that may only add gets receipts, which it cannot read back. What cannot \
      be added is named, the others are kept, and the exit status is 1. A sidecar (.xmp, .aae, .thm) goes with the \
      photo that it is named after; of several of one stem, with the one that is given first.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The files, and their sidecars.")
  var files: [String]

  @Option(help: ArgumentHelp("Add to this album (albumctl albums).", valueName: "album-id"))
  var album: String?

  @Option(help: "What for: keep, or wallpaper. Tells what to do next.")
  var purpose: LibraryInterface.SavePurpose?

  @Flag(help: "Each photo is followed by its movie: together they are one live photo.")
  var livePhoto = false

  @Flag(help: "Each photo is followed by its RAW: together they are one photo.")
  var raw = false

  func validate() throws {
    let given = SidecarArguments(files)
    if let alone = given.alone.first {
      throw ValidationError("\(SafeText(alone)): the photo that it lies beside is not among the files")
    }
    if livePhoto, !given.media.count.isMultiple(of: filesOfItem) {
      throw ValidationError("--live-photo takes a photo and its movie each")
    }
    if raw, !given.media.count.isMultiple(of: filesOfItem) {
      throw ValidationError("--raw takes a photo and its RAW each, after its movie")
    }
  }

  private var filesOfItem: Int { 1 + (livePhoto ? 1 : 0) + (raw ? 1 : 0) }

  /// The file of each item, its movie and its RAW.
  private func items(_ files: [String]) -> [(file: String, movie: String?, raw: String?)] {
    stride(from: 0, to: files.count, by: filesOfItem).map {
      (files[$0], livePhoto ? files[$0 + 1] : nil, raw ? files[$0 + filesOfItem - 1] : nil)
    }
  }

  func run() throws {
    var guide: AuthorizationInterface.Guide?
    let given = SidecarArguments(files)
    let items = items(given.media)
    let results = try global.connect().save(
      items.map { file, movie, raw in
        MediaItem(
          .file(file), pairedVideo: movie.map { .file($0) },
          sidecars: [file, movie, raw].compactMap(\.self).flatMap(given.sidecars),
          alternatePhoto: raw.map { .file($0) })
      }, to: album, for: purpose, language: Person.language, desktop: Person.desktop, guide: { guide = $0 })
    var saved: [(file: String, id: String)] = []
    var failures: [LibraryInterface.AddFailure] = []
    var end: AlbumError?
    for (number, result) in results.enumerated() {
      switch result {
      case .success(let id): saved.append((items[number].file, id))
      // Which of the two it is about is not told.
      case .failure(let error) where error.code == .notMedia && items[number].movie != nil:
        failures.append(
          .init(
            item: number, error: error.remote?.name ?? "",
            message: global.words[.notAPair]))
      // What is about no file is about all that follow.
      case .failure(let error) where error.item == nil: end = end ?? error
      case .failure(let error):
        failures.append(
          .init(
            item: number, error: error.remote?.name ?? "",
            message: global.words.sayingReasons(error.message(in: global.words))))
      }
    }
    // What was saved before a batch failed is saved, and told.
    if !saved.isEmpty || !failures.isEmpty { try show(saved, failures, guide) }
    if let end { throw end }
    if !failures.isEmpty { throw CommandFailure(.failed) }
  }

  private func show(
    _ saved: [(file: String, id: String)], _ failures: [LibraryInterface.AddFailure],
    _ guide: AuthorizationInterface.Guide?
  ) throws {
    if global.json {
      return try Output.json(
        LibraryInterface.AddAssets.Reply(
          ids: saved.map(\.id), failures: failures, completed: saved.count + failures.count,
          guide: guide))
    }
    for (file, id) in saved { try Output.line("\(SafeText(id))  \(SafeText(file))") }
    for failure in failures {
      let (file, movie, _) = items(SidecarArguments(files).media)[failure.item]
      let files = movie.map { global.words[.twoFiles, ["photo": file, "movie": $0]] } ?? file
      Report.note("albumctl: \(files): \(failure.message)")
    }
    if let guide { Report.guide(guide) }
  }
}

extension SidecarArguments {
  fileprivate func sidecars(of file: String) -> [Sidecar] {
    (beside[file] ?? []).map { Sidecar(.file($0.path), fileExtension: $0.fileExtension) }
  }
}
