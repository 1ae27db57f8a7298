internal import AlbumAPI
internal import EventLoop
internal import LibraryModel
internal import Linux
internal import PictureAPI

/// Who says what an open file says of itself: ``PicturePool``, or a test.
@EventLoopActor
protocol PictureReading: AnyObject {
  /// Asks what a file says of itself.
  ///
  /// - Parameters:
  ///   - demand: who wants it, and how urgently.
  ///   - completion: never called before this returns; not at all after ``cancel(_:)``.
  /// - Returns: by what that is cancelled.
  func describe(
    _ file: borrowing OwnedDescriptor, _ demand: PictureDemand,
    completion: @escaping @EventLoopActor (Result<FileDescription, PictureFailure>) -> Void
  ) -> PicturePlan.JobID
  /// Nobody wants the answer any more.
  func cancel(_ id: PicturePlan.JobID)
}

extension PicturePool: PictureReading {
  func describe(
    _ file: borrowing OwnedDescriptor, _ demand: PictureDemand,
    completion: @escaping @EventLoopActor (Result<FileDescription, PictureFailure>) -> Void
  ) -> PicturePlan.JobID {
    ask(PicturesInterface.Describe.self, .init(fileDescriptor: 0), about: file.number, demand) { outcome in
      completion(outcome.map { FileDescription($0.reply.description) })
    }
  }
}

extension FileDescription {
  /// What of an answer can be: who gave it may have been taken over by a file.
  init(_ said: PicturesInterface.Description) {
    self.init(
      takenLocal: said.takenLocal.map { Int64($0) }, takenOffset: said.takenOffset,
      pixelWidth: said.pixelWidth, pixelHeight: said.pixelHeight, duration: said.duration.map { Int64($0) },
      subtypes: said.subtypes.reduce(into: []) { $0.formUnion(PictureSubtypes($1)) },
      place: said.place.flatMap {
        Place(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude)
      })
  }
}

extension PictureSubtypes {
  fileprivate init(_ subtype: PicturesInterface.Subtype) {
    switch subtype {
    case .panorama: self = .panorama
    case .screenshot: self = .screenshot
    case .hdr: self = .hdr
    case .animated: self = .animated
    case .raw: self = .raw
    case .motionPhoto: self = .motionPhoto
    }
  }
}

/// The version of what reads files: another may read what this one cannot (S51).
enum PictureReader {
  static let version = version(of: ProductVersion.current)

  /// FNV-1a of its name, without the sign.
  static func version(of name: String) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(hash >> 1)
  }
}
