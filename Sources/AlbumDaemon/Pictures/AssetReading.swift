internal import EventLoop
internal import LibraryIO
internal import LibraryModel

/// The files of an asset, open.
@EventLoopActor
struct AssetFiles {
  let main: ReadableFile
  let movie: ReadableFile?

  var all: [(Link.Resource, ReadableFile)] { [(.main, main)] + (movie.map { [(.pairedVideo, $0)] } ?? []) }

  /// Whether they are what they were when they were opened.
  var areUnchanged: Bool { main.isUnchanged && movie?.isUnchanged ?? true }
}

/// An asset whose files are being read.
@EventLoopActor
final class AssetReading {
  let job: DescriptionPlan.Job
  /// As it was when they were opened.
  let asset: Asset
  let files: AssetFiles
  /// How many answers are waited for.
  var pending = 0
  private(set) var main: ReadFile?
  private(set) var movie: ReadFile?
  /// Whether nobody could be asked.
  private(set) var isPutOff = false

  init(_ job: DescriptionPlan.Job, _ asset: Asset, _ files: AssetFiles) {
    self.job = job
    self.asset = asset
    self.files = files
  }

  /// What is known of a file.
  func note(_ read: ReadFile, _ resource: Link.Resource) {
    switch resource {
    case .main: main = read
    case .pairedVideo: movie = read
    // What a sidecar says is told of nothing, nor what RAW says beside its photo.
    case .sidecar, .alternatePhoto: break
    }
  }

  /// What was answered about one.
  func note(
    _ result: Result<FileDescription, PictureFailure>, _ file: ReadableFile, _ resource: Link.Resource
  ) {
    switch result {
    case .success(let description): note(ReadFile(file.version, description), resource)
    case .failure(.unreadable), .failure(.broke): note(ReadFile(file.version, nil), resource)
    case .failure(.unavailable), .failure(.busy): isPutOff = true
    }
  }
}
