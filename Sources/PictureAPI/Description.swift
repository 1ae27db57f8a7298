extension PicturesInterface.Description {
  /// Nothing is known.
  public static var empty: Self { Self(subtypes: []) }

  /// Notes what kind of picture it is, once.
  public mutating func add(_ subtype: PicturesInterface.Subtype) {
    if !subtypes.contains(subtype) { subtypes.append(subtype) }
  }
}

extension PicturesInterface.Place {
  /// A place on earth; nil where it is none. An altitude that nobody flies at is none.
  public init?(checking latitude: Double, _ longitude: Double, altitude: Double?) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.init(
      latitude: latitude, longitude: longitude,
      altitude: altitude.flatMap { (-20_000...100_000).contains($0) ? $0 : nil })
  }
}
