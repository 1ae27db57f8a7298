/// What exiftool and exiv2 say of a file, a line for each tag.
struct SaidTags {
  /// Those about where it was taken.
  private(set) var places: [String] = []
  /// All others of the file's own.
  private(set) var others: [String] = []

  /// What both call a place, where films say one, and what the corpus says.
  private static let words = [
    "GPS", "City", "State", "Country", "Location", "Latitude", "Longitude", "Altitude", "Sydney", "Australia",
    "Opera", "33 deg", "151 deg", "-33.8", "151.2",
  ]
  /// GeoTIFF's, which stay and become zeros.
  private static let onEarth = ["GeoTiff", "ModelTiePoint", "PixelScale"]
  /// Not of the file but about it; and exiv2's bytes of whole blocks, whose tags both say one by one.
  private static let about = [
    "[System]", "[ExifTool]", "CurrentIPTCDigest", "Exif.Image.XMLPacket", "Exif.Image.IPTCNAA",
    "Exif.Image.ImageResources", "Xmp.video.FileName",
  ]

  init(_ path: String) throws {
    let said =
      String(decoding: try run("exiftool", ["-a", "-G1", "-s", "-ee", path], isLenient: true), as: UTF8.self)
      + String(decoding: try run("exiv2", ["-pa", path], isLenient: true), as: UTF8.self)
    for line in said.split(separator: "\n").map(String.init) where !Self.about.contains(where: line.contains)
    {
      if Self.onEarth.contains(where: line.contains) {
        if line.split(separator: ":").last?.contains(where: { !"0 ".contains($0) }) ?? true {
          places.append(line)
        }
      } else if Self.words.contains(where: { line.contains($0) }) {
        places.append(line)
      } else {
        others.append(line)
      }
    }
  }
}
