internal import PictureAPI

/// What metadata says, whatever it was in: of Exif and XMP, Exif counts first, as cameras write it.
extension PicturesInterface.Description {
  /// Notes what these say and is not known yet.
  mutating func add(exif: PictureMetadata, xmp: PictureMetadata) {
    let taken = Self.taken(exif) ?? Self.taken(xmp: xmp)
    takenLocal = takenLocal ?? taken.map { Int($0.local) }
    takenOffset = takenOffset ?? taken?.offset
    place = place ?? Self.place(exif) ?? Self.place(xmp: xmp)
    if Self.isPanorama(exif, xmp) { add(.panorama) }
    if Self.isScreenshot(exif, xmp) { add(.screenshot) }
    if Self.isHighDynamicRange(exif, xmp) { add(.hdr) }
    if xmp.says(["1"], in: "Xmp.GCamera.MotionPhoto", "Xmp.GCamera.MicroVideo") { add(.motionPhoto) }
  }

  // MARK: When

  private static func taken(_ exif: PictureMetadata) -> CaptureTime? {
    guard let text = exif["Exif.Photo.DateTimeOriginal"] ?? exif["Exif.Image.DateTimeOriginal"],
      var taken = CaptureTime(
        exif: text, subseconds: exif["Exif.Photo.SubSecTimeOriginal"],
        offset: exif["Exif.Photo.OffsetTimeOriginal"])
    else { return nil }
    if taken.offset == nil, let utc = timeOfGPS(exif) { taken.offset = taken.offset(byGPS: utc) }
    return taken
  }

  private static func timeOfGPS(_ exif: PictureMetadata) -> CaptureTime? {
    guard let date = exif["Exif.GPSInfo.GPSDateStamp"], let time = exif["Exif.GPSInfo.GPSTimeStamp"] else {
      return nil
    }
    let parts = time.split(separator: " ").compactMap { Coordinates.fraction($0) }
    guard parts.count == 3, parts.allSatisfy({ 0..<61 ~= $0 }) else { return nil }
    let clock = parts.map { part in
      let number = String(Int(part))
      return number.count == 1 ? "0" + number : number
    }
    return CaptureTime(exif: "\(date) \(clock.joined(separator: ":"))", subseconds: nil, offset: nil)
  }

  private static func taken(xmp: PictureMetadata) -> CaptureTime? {
    (xmp["Xmp.exif.DateTimeOriginal"] ?? xmp["Xmp.photoshop.DateCreated"]).flatMap {
      CaptureTime(iso8601: $0)
    }
  }

  // MARK: Where

  private static func place(_ exif: PictureMetadata) -> PicturesInterface.Place? {
    guard
      let latitude = exif["Exif.GPSInfo.GPSLatitude"].flatMap({
        Coordinates.degrees(exif: $0, reference: exif["Exif.GPSInfo.GPSLatitudeRef"])
      }),
      let longitude = exif["Exif.GPSInfo.GPSLongitude"].flatMap({
        Coordinates.degrees(exif: $0, reference: exif["Exif.GPSInfo.GPSLongitudeRef"])
      })
    else { return nil }
    let altitude = exif["Exif.GPSInfo.GPSAltitude"].flatMap { Coordinates.fraction($0) }
    let isBelowSea = exif["Exif.GPSInfo.GPSAltitudeRef"] == "1"
    return PicturesInterface.Place(
      checking: latitude, longitude, altitude: altitude.map { isBelowSea ? -$0 : $0 })
  }

  private static func place(xmp: PictureMetadata) -> PicturesInterface.Place? {
    guard let latitude = xmp["Xmp.exif.GPSLatitude"].flatMap({ Coordinates.degrees(xmp: $0) }),
      let longitude = xmp["Xmp.exif.GPSLongitude"].flatMap({ Coordinates.degrees(xmp: $0) })
    else { return nil }
    let altitude = xmp["Xmp.exif.GPSAltitude"].flatMap { Coordinates.fraction($0) }
    let isBelowSea = xmp["Xmp.exif.GPSAltitudeRef"] == "1"
    return PicturesInterface.Place(
      checking: latitude, longitude, altitude: altitude.map { isBelowSea ? -$0 : $0 })
  }

  // MARK: What kind

  private static func isPanorama(_ exif: PictureMetadata, _ xmp: PictureMetadata) -> Bool {
    // Apple's value; Google's says how it is projected.
    exif.says(["6"], in: "Exif.Photo.CustomRendered") || xmp["Xmp.GPano.ProjectionType"] != nil
  }

  private static func isScreenshot(_ exif: PictureMetadata, _ xmp: PictureMetadata) -> Bool {
    // What Apple's systems write; "Screenshot" stays English.
    exif["Exif.Photo.UserComment"]?.hasSuffix("Screenshot") ?? false
      || xmp["Xmp.exif.UserComment"]?.hasSuffix("Screenshot") ?? false
  }

  private static func isHighDynamicRange(_ exif: PictureMetadata, _ xmp: PictureMetadata) -> Bool {
    // Apple's, with and without the original kept; and Adobe's and Android's gain maps.
    exif.says(["3", "4"], in: "Exif.Photo.CustomRendered") || xmp["Xmp.hdrgm.Version"] != nil
  }
}
