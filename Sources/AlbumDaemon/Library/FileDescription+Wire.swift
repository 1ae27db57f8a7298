internal import AlbumAPI
internal import LibraryModel

extension FileDescription {
  /// How long it plays.
  var seconds: Double? { duration.map { Double($0) / 1_000_000 } }

  /// What the camera's clock showed: as `Asset.createdLocal` says it.
  var cameraTime: String? {
    guard let takenLocal else { return nil }
    // What a clock in UTC would have shown.
    let text = String(Instant(microseconds: takenLocal).description.dropLast())
    guard let minutes = takenOffset else { return text }
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let size = abs(minutes)
    return text + (minutes < 0 ? "-" : "+") + two(size / 60) + ":" + two(size % 60)
  }
}

extension PictureSubtypes {
  private static let all: [(PictureSubtypes, LibraryInterface.Subtype)] = [
    (.panorama, .panorama), (.screenshot, .screenshot), (.hdr, .hdr), (.animated, .animated), (.raw, .raw),
    (.motionPhoto, .motionPhoto),
  ]

  /// As the interface names them; nil when there is none.
  var names: [LibraryInterface.Subtype]? {
    isEmpty ? nil : Self.all.filter { contains($0.0) }.map(\.1)
  }

  init(_ names: [LibraryInterface.Subtype]) {
    self = Self.all.filter { names.contains($0.1) }.reduce(into: []) { $0.formUnion($1.0) }
  }
}

extension LibraryInterface.Location {
  init(_ place: FileDescription.Place) {
    self.init(latitude: place.latitude, longitude: place.longitude, altitude: place.altitude)
  }
}

extension Moment.Unit {
  init(_ unit: LibraryInterface.MomentUnit) {
    switch unit {
    case .day: self = .day
    case .month: self = .month
    case .year: self = .year
    }
  }
}
