// How the index and the journal have a description: which parts there are, and those, little-endian. A page of assets
// is read from one table so (docs/decisions/0092-descriptions.md).

extension AssetDescription {
  private struct Parts: OptionSet {
    let rawValue: UInt8
    static let taken = Parts(rawValue: 1)
    static let offset = Parts(rawValue: 2)
    static let size = Parts(rawValue: 4)
    static let duration = Parts(rawValue: 8)
    static let place = Parts(rawValue: 16)
    static let altitude = Parts(rawValue: 32)
  }

  /// As it is stored.
  package var bytes: [UInt8] {
    var parts: Parts = []
    var bytes: [UInt8] = [0, file.subtypes.rawValue]
    func append<Value: FixedWidthInteger>(_ value: Value) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    if let local = file.takenLocal, let captured {
      parts.insert(.taken)
      append(local)
      append(captured)
      if let offset = file.takenOffset {
        parts.insert(.offset)
        append(Int16(truncatingIfNeeded: offset))
      }
    }
    if let width = file.pixelWidth, let height = file.pixelHeight {
      parts.insert(.size)
      append(UInt32(truncatingIfNeeded: width))
      append(UInt32(truncatingIfNeeded: height))
    }
    if let duration = file.duration {
      parts.insert(.duration)
      append(duration)
    }
    if let place = file.place {
      parts.insert(.place)
      append(place.latitude.bitPattern)
      append(place.longitude.bitPattern)
      if let altitude = place.altitude {
        parts.insert(.altitude)
        append(altitude.bitPattern)
      }
    }
    bytes[0] = parts.rawValue
    return bytes
  }

  /// A description as stored; nil where there is none.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else { return nil }
    var rest = StoredNumbers(bytes: bytes, position: 2)
    let parts = Parts(rawValue: bytes[0])
    var (local, captured): (Int64?, Int64?)
    if parts.contains(.taken) { (local, captured) = (rest.next(), rest.next()) }
    let offset: Int16? = parts.contains(.offset) ? rest.next() : nil
    var (width, height): (UInt32?, UInt32?)
    if parts.contains(.size) { (width, height) = (rest.next(), rest.next()) }
    let duration: Int64? = parts.contains(.duration) ? rest.next() : nil
    var place: FileDescription.Place?
    if parts.contains(.place), let latitude: UInt64 = rest.next(), let longitude: UInt64 = rest.next() {
      let altitude: UInt64? = parts.contains(.altitude) ? rest.next() : nil
      place = .init(
        latitude: Double(bitPattern: latitude), longitude: Double(bitPattern: longitude),
        altitude: altitude.map { Double(bitPattern: $0) })
    }
    let file = FileDescription(
      takenLocal: local, takenOffset: offset.map { Int($0) }, pixelWidth: width.map { Int($0) },
      pixelHeight: height.map { Int($0) }, duration: duration,
      subtypes: PictureSubtypes(rawValue: bytes[1]), place: place)
    self.init(file: file, captured: file.takenLocal == nil ? nil : captured)
  }
}

/// Numbers, one after the other, in bytes that may be fewer.
private struct StoredNumbers {
  let bytes: UnsafeRawBufferPointer
  var position: Int

  mutating func next<Value: FixedWidthInteger>() -> Value? {
    let size = MemoryLayout<Value>.size
    guard bytes.count - position >= size else { return nil }
    defer { position += size }
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
  }
}
