/// What a file says of itself (S48, S49), as one that reads files has said and within what can be: who made the file, or
/// took over its reader, may have said anything.
package struct FileDescription: Hashable, Sendable {
  /// Where a picture was taken.
  package struct Place: Hashable, Sendable {
    /// Degrees north, WGS 84.
    package let latitude: Double
    /// Degrees east.
    package let longitude: Double
    /// Metres above the sea.
    package let altitude: Double?

    /// A place on earth; nil where it is none, and without an altitude that nobody is at.
    package init?(latitude: Double, longitude: Double, altitude: Double?) {
      guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude.flatMap { (-20_000...100_000).contains($0) ? $0 : nil }
    }
  }

  /// What the camera's own clock showed: microseconds from 1970-01-01 00:00 to that.
  package private(set) var takenLocal: Int64?
  /// How many minutes that clock was ahead of UTC; never without ``takenLocal``.
  package private(set) var takenOffset: Int?
  /// How wide it is as shown; never without ``pixelHeight``.
  package private(set) var pixelWidth: Int?
  /// How high it is as shown.
  package private(set) var pixelHeight: Int?
  /// How long it plays, in microseconds.
  package private(set) var duration: Int64?
  /// What kind of picture it is.
  package private(set) var subtypes: PictureSubtypes = []
  /// Where it was taken.
  package private(set) var place: Place?

  /// Nothing is known.
  package static let nothing = FileDescription()

  private init() {}

  /// What is possible of what was said; what is not is left out.
  package init(
    takenLocal: Int64?, takenOffset: Int?, pixelWidth: Int?, pixelHeight: Int?, duration: Int64?,
    subtypes: PictureSubtypes, place: Place?
  ) {
    if let takenLocal, Self.times.contains(takenLocal) {
      self.takenLocal = takenLocal
      self.takenOffset = takenOffset.flatMap { (-14 * 60...14 * 60).contains($0) ? $0 : nil }
    }
    if let pixelWidth, let pixelHeight, Self.lengths.contains(pixelWidth), Self.lengths.contains(pixelHeight)
    {
      self.pixelWidth = pixelWidth
      self.pixelHeight = pixelHeight
    }
    self.duration = duration.flatMap { (1...Self.longest).contains($0) ? $0 : nil }
    self.subtypes = subtypes
    self.place = place
  }

  /// From the first photograph (1826) to the end of what nanoseconds can say (2262), in microseconds.
  private static let times: ClosedRange<Int64> = -4_544_208_000_000_000...9_214_646_400_000_000
  /// No format has pictures that are larger.
  private static let lengths = 1...0x7FFF_FFFF
  /// A year, in microseconds.
  private static let longest: Int64 = 366 * 86_400 * 1_000_000
}
