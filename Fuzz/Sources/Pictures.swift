import Glibc
import PictureAPI

@testable import Pictures
@testable import Places

/// What is read of pictures and films without any library: where they say where they were taken, and their headers.
let pictureFuzzers = [
  placeFuzzer("placesjpeg", [[0xFF, 0xD8, 0xFF]]),
  placeFuzzer("placestiff", TIFFPlaces.headers),
  placeFuzzer("placesboxes", ["ftyp", "moov", "mdat"].map { [0, 0, 0, 0x18] + Array($0.utf8) }),
  placeFuzzer("placeschunks", [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("RIFF".utf8)]),

  // What stands in all of these: the first byte says which.
  Fuzzer("placetexts", longest: 8192) { bytes in
    guard let kind = bytes.first else { return }
    let text = Array(bytes.dropFirst())
    switch kind % 4 {
    case 0: checkMetadata(text) { view, found throws(Untraceable) in try XMPPlaces.find(in: view, &found) }
    case 1: checkMetadata(text) { view, found throws(Untraceable) in try IPTCPlaces.find(in: view, &found) }
    case 2:
      checkMetadata(text) { view, found throws(Untraceable) in
        try IPTCPlaces.find(inResources: view, &found, depth: 1)
      }
    default:
      guard let unpacked = try? Inflating.zlib(text) else { return }
      // Each bit of it stands for at most 258 bytes.
      expect(unpacked.count <= min(16 << 20, text.count * 8 * 258), "no more comes out than can")
      _ = try? ProfileText.saysPlace(unpacked, "Raw profile type exif")
    }
  },

  Fuzzer("pictureheaders", longest: 4096) { bytes in
    let bytes = UnsafeRawBufferPointer(bytes)
    expect(
      PictureFormat(beginning: bytes)
        == PictureFormat(beginning: bytes.prefix(PictureFormat.beginningLength)), "the beginning tells")
    if let picture = JPEGXL(bytes) {
      expect(1...8 ~= picture.orientation && picture.width > 0 && picture.height > 0, "it has a size")
      for range in [picture.exif, picture.xmp].compactMap({ $0 }) {
        expect(range.upperBound <= bytes.count, "its metadata is in the file")
      }
    }
    if let raw = FujifilmRaw(bytes) {
      expect(raw.jpeg.count <= bytes.count, "the picture within is in the file")
      expect(raw.size.map { $0.width > 0 && $0.height > 0 } ?? true, "it has a size or none")
    }
    for kind in StillPicture.Kind.allCases {
      guard let picture = StillPicture(bytes, kind) else { continue }
      expect(picture.size.width > 0 && picture.size.height > 0, "it has a size")
      expect(picture.content.count <= bytes.count, "what is decoded is in the file")
      expect((picture.profile?.count ?? 0) <= bytes.count, "so is what is said of colours")
    }
    expect((PNGChunks(bytes).software?.utf8.count ?? 0) <= 600, "what made it is a few words")
    var end = 0
    for box in ISOBox.all(in: bytes) {
      expect(box.content.lowerBound >= end + 8 && box.content.upperBound <= bytes.count, "boxes are in order")
      end = box.content.upperBound
    }
    checkTexts(String(decoding: bytes.prefix(256), as: UTF8.self))
  },
]

/// Tries a container: an input begins like one of it, whatever it begins with.
private func placeFuzzer(_ name: String, _ beginnings: [[UInt8]]) -> Fuzzer {
  Fuzzer(name, longest: 16384) { input in
    var bytes = Array(input)
    if !beginnings.contains(where: { bytes.starts(with: $0) }), let first = beginnings.first {
      guard bytes.count > first.count else { return }
      // The length of a first box may be any.
      let kept = beginnings.count == 3 ? 4 : 0
      bytes.replaceSubrange(kept..<first.count, with: first[kept...])
    }
    guard let found = try? PlaceFinder.overwritings(in: source(bytes)) else { return }
    guard let result = overwritten(bytes, found) else {
      return expect(false, "what is overwritten is in the file, in order, each byte once")
    }
    expect(found.count <= FoundPlaces.most, "there is a bound")
    expect((try? PlaceFinder.overwritings(in: source(result))) == [], "looked at again there is nothing left")
    guard let sent = OverwritingBytes.encode(found) else { return }
    expect(OverwritingBytes.decode(sent, fileSize: bytes.count) == found, "what is sent is what was found")
  }
}

/// What is found in a block is in it, and looked at again there is nothing left.
private func checkMetadata(
  _ text: [UInt8], _ find: (SourceView, inout FoundPlaces) throws(Untraceable) -> Void
) {
  func ranges(_ text: [UInt8]) -> [Overwriting]? {
    var found = FoundPlaces()
    do throws(Untraceable) {
      try find(SourceView(source(text)), &found)
      return try found.inOrder()
    } catch { return nil }
  }
  guard let found = ranges(text) else { return }
  guard let result = overwritten(text, found) else {
    return expect(false, "what is overwritten is in the block, in order, each byte once")
  }
  expect(ranges(result) == [], "looked at again there is nothing left")
}

/// Times and places as texts.
private func checkTexts(_ text: String) {
  let times = [CaptureTime(exif: text, subseconds: text, offset: text), CaptureTime(iso8601: text)]
  for time in times.compactMap({ $0 }) {
    expect(abs(time.offset ?? 0) <= 14 * 60, "no clock is further ahead")
    expect(abs(time.offset(byGPS: time) ?? 0) <= 14 * 60, "nor by GPS")
  }
  _ = Coordinates.degrees(exif: text, reference: String(text.suffix(1)))
  _ = Coordinates.degrees(xmp: text)
  if let place = Coordinates.place(iso6709: text) {
    let checked = PicturesInterface.Place(
      checking: place.latitude, place.longitude, altitude: place.altitude)
    expect(checked.map { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 } ?? true, "a place is on earth")
  }
}

private func source(_ bytes: [UInt8]) -> PictureSource {
  PictureSource(count: bytes.count) { offset, memory in
    let count = min(memory.count, bytes.count - offset)
    guard count > 0 else { return 0 }
    bytes.withUnsafeBytes {
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
    }
    return count
  }
}

/// The bytes as they become; nil where a range is not in them, or not behind the one before it.
private func overwritten(_ bytes: [UInt8], _ overwritings: [Overwriting]) -> [UInt8]? {
  var result = bytes
  var end = 0
  for overwriting in overwritings {
    guard overwriting.range.lowerBound >= end, overwriting.range.upperBound <= bytes.count else { return nil }
    for place in overwriting.range { result[place] = overwriting.byte(at: place) }
    end = overwriting.range.upperBound
  }
  return result
}
