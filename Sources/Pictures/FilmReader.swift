internal import CPictures
internal import Glibc
internal import PictureAPI

/// Reads what a film says of itself, from its descriptor.
enum FilmReader {
  /// - Returns: nil where the file is not what it seems to be.
  static func describe(_ descriptor: CInt, reader: String) -> PicturesInterface.Description? {
    guard let film = pictures_film_open(descriptor, reader) else { return nil }
    defer { pictures_film_close(film) }
    func says(_ key: String) -> String? {
      // What a file says may be of any length.
      pictures_film_text(film, key).map {
        String(decoding: UnsafeRawBufferPointer(start: $0, count: strnlen($0, 256)), as: UTF8.self)
      }
    }
    var description = PicturesInterface.Description.empty
    let duration = Int(pictures_film_duration(film))
    description.duration = duration > 0 ? duration : nil
    var track = pictures_track()
    if pictures_film_track(film, &track) == 0, track.width > 0, track.height > 0 {
      let isTurned = track.rotation == 90 || track.rotation == 270
      description.pixelWidth = Int(isTurned ? track.height : track.width)
      description.pixelHeight = Int(isTurned ? track.width : track.height)
      if track.is_high_dynamic_range != 0 { description.add(.hdr) }
    }
    if let taken = taken(isQuickTime: reader == PictureFormat.isoReader, says) {
      description.takenLocal = Int(taken.local)
      description.takenOffset = taken.offset
    }
    for key in ["com.apple.quicktime.location.ISO6709", "location"] {
      guard let found = says(key).flatMap({ Coordinates.place(iso6709: $0) }) else { continue }
      description.place = .init(checking: found.latitude, found.longitude, altitude: found.altitude)
      break
    }
    let isSilent = description.duration == nil && description.pixelWidth == nil
    return isSilent ? nil : description
  }

  /// Apple's says the camera's own clock and zone, as does QuickTime's `©day` where a camera has written it; the last is UTC, in
  /// every container that has it.
  static func taken(isQuickTime: Bool, _ says: (String) -> String?) -> CaptureTime? {
    func time(_ key: String) -> CaptureTime? { says(key).flatMap { CaptureTime(iso8601: $0) } }
    // Without a zone, or in UTC, it may be the day on which a film came to the cinemas.
    let isZoned = says("date").map { isQuickTime && !$0.hasSuffix("Z") } ?? false
    let day = isZoned ? time("date") : nil
    return time("com.apple.quicktime.creationdate") ?? (day?.offset == nil ? nil : day)
      ?? time("creation_time")
  }
}
