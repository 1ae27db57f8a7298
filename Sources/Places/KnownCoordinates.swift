/// The coordinates that a file says by name, looked for as numbers where nobody here can read: in a maker's note, in a tag of somebody's
/// own.
///
/// Each of the ways in which makers write an angle is tried at each byte, in both orders of bytes. Latitude and longitude must stand near
/// each other and be written the same way: one number alone is found by chance.
struct KnownCoordinates {
  /// In degrees, without their signs, which makers write elsewhere.
  private let latitude, longitude: Double
  /// As numbers of four bytes and of eight.
  private let short, long: [Form]

  /// What is taken for the same angle, in degrees: some eleven metres.
  private static let tolerance = 1e-4
  /// So many bytes from each other both are at most: two triples of fractions, with a letter between them.
  private static let reach = 64
  /// Nearer to zero than this, in degrees, an angle may be any small number.
  private static let least = 0.01
  /// In what a degree is counted, in whole numbers: powers of ten, milliseconds, parts of a minute, fixed point.
  private static let scales = [1e7, 1e6, 1e5, 3.6e6, 6e5, 65_536]

  /// How both are written: which bits they have, without a sign.
  private struct Form {
    let latitude, longitude: ClosedRange<UInt64>
    let isFloating: Bool
  }

  /// - Parameters:
  ///   - latitude: in degrees, south or north.
  ///   - longitude: in degrees, east or west.
  /// - Returns: nil where they are nowhere on earth, or so near to zero that nothing could be told from them.
  init?(latitude: Double, longitude: Double) {
    let (latitude, longitude) = (latitude.magnitude, longitude.magnitude)
    guard (Self.least...90).contains(latitude), (Self.least...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
    func form(_ isFloating: Bool, _ bits: (Double) -> UInt64) -> Form {
      func range(_ degrees: Double) -> ClosedRange<UInt64> {
        let ends = [bits(degrees - Self.tolerance), bits(degrees + Self.tolerance)].sorted()
        return ends[0]...ends[1]
      }
      return Form(latitude: range(latitude), longitude: range(longitude), isFloating: isFloating)
    }
    let float = { (value: Double) in UInt64(Float(value).bitPattern) }
    short =
      Self.scales.map { scale in form(false) { UInt64(($0 * scale).rounded()) } } + [
        form(true, float), form(true) { float($0 * .pi / 180) }, form(true) { float(Self.received($0)) },
      ]
    long = [
      form(true, \.bitPattern), form(true) { ($0 * .pi / 180).bitPattern },
      form(true) { Self.received($0).bitPattern },
    ]
  }

  /// As receivers write it (NMEA 0183): degrees times a hundred, and minutes.
  private static func received(_ degrees: Double) -> Double {
    let whole = degrees.rounded(.down)
    return whole * 100 + (degrees - whole) * 60
  }

  /// Whether both are there.
  ///
  /// - Parameter skipped: what has been looked at otherwise.
  func areThere(in bytes: [UInt8], skipping skipped: [Range<Int>] = []) -> Bool {
    // The last may stand at the end.
    let padded = bytes + [UInt8](repeating: 0, count: 7)
    return padded.withUnsafeBytes { bytes in
      for offset in 0..<max(0, bytes.count - 7) {
        // Most of what is empty.
        if bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == 0 { continue }
        for isBig in [true, false] where isLatitude(bytes, offset, isBig) {
          if !skipped.contains(where: { $0.contains(offset) }) { return true }
        }
      }
      return false
    }
  }

  /// Whether a latitude is here, and a longitude beside it.
  private func isLatitude(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isBig: Bool) -> Bool {
    let four = Self.four(bytes, offset, isBig)
    for form in short where form.latitude.contains(Self.bits(four, form)) {
      let isThere = isNear(offset, bytes, 4) {
        form.longitude.contains(Self.bits(Self.four(bytes, $0, isBig), form))
      }
      if isThere { return true }
    }
    let eight = Self.eight(bytes, offset, isBig)
    for form in long where form.latitude.contains(eight & ~(1 << 63)) {
      if isNear(offset, bytes, 8, { form.longitude.contains(Self.eight(bytes, $0, isBig) & ~(1 << 63)) }) {
        return true
      }
    }
    let (above, below) = (Double(four), Double(Self.four(bytes, offset + 4, isBig)))
    guard above <= (latitude + Self.tolerance) * below, above > (latitude - 1.001) * below else {
      return false
    }
    for count in [1, 3] where isSame(Self.fractions(bytes, offset, count, isBig), latitude) {
      if isNear(offset, bytes, 8 * count, { isSame(Self.fractions(bytes, $0, count, isBig), longitude) }) {
        return true
      }
    }
    return false
  }

  private func isNear(
    _ place: Int, _ bytes: UnsafeRawBufferPointer, _ length: Int, _ isLongitude: (Int) -> Bool
  ) -> Bool {
    let (first, last) = (max(0, place - Self.reach), min(bytes.count - length, place + Self.reach))
    return first <= last && (first...last).contains { $0 != place && isLongitude($0) }
  }

  private func isSame(_ degrees: Double, _ wanted: Double) -> Bool {
    (degrees - wanted).magnitude <= Self.tolerance
  }

  private static func bits(_ number: UInt32, _ form: Form) -> UInt64 {
    UInt64(form.isFloating ? number & 0x7FFF_FFFF : Int32(bitPattern: number).magnitude)
  }

  private static func four(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isBig: Bool) -> UInt32 {
    let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBig ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw)
  }

  private static func eight(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isBig: Bool) -> UInt64 {
    let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return isBig ? UInt64(bigEndian: raw) : UInt64(littleEndian: raw)
  }

  private static func fraction(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isBig: Bool) -> Double {
    let (above, below) = (Double(four(bytes, offset, isBig)), Double(four(bytes, offset + 4, isBig)))
    // Nothing of nothing: as some write that there are no seconds.
    return above == 0 && below == 0 ? 0 : above / below
  }

  /// In degrees: as one fraction, or as degrees, minutes and seconds.
  static func fractions(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ count: Int, _ isBig: Bool) -> Double
  {
    guard offset >= 0, bytes.count - offset >= 8 * count else { return .infinity }
    return (0..<count).reduce(0) { sum, index in
      sum + fraction(bytes, offset + 8 * index, isBig) / [1, 60, 3600][index]
    }
  }
}
