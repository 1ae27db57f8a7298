/// What vocabularies of others call places in XMP, and names under which a whole file stands.
enum XMPVocabularies {
  /// Names without their prefix.
  static let names: Set = [
    // The cell of the network that a phone was in (Sony Ericsson's).
    "mcc", "mnc", "lac", "cellid", "cgi",
    // What Dublin Core calls the extent of what is shown, and recipes and others where they are of.
    "Coverage", "coverage", "Geography", "geography",
    // Darwin Core's of where something that lives was found, also without its structure of a location.
    "country", "countryCode", "stateProvince", "county", "municipality", "locality", "verbatimLocality",
    "island",
    "islandGroup", "waterBody", "continent", "higherGeography", "higherGeographyID", "verbatimCoordinates",
    "footprintWKT",
    // How high or how deep it was (Exif 2.31).
    "Pressure", "WaterDepth",
    // What nobody but its maker can read (Google's cameras).
    "HDRPlusMakerNote", "HdrPlusMakernote", "hdrp_makernote", "shot_log_data",
  ]

  /// Prefixes of vocabularies that are about places only: W3C's Basic Geo, GeoRSS, and cells of a network.
  static let prefixes: Set = ["geo", "georss", "gml", "cell", "wgs84", "wgs84_pos"]

  /// Names of pictures, as text (base64): with metadata of their own.
  static let pictures: Set = ["image", "Data"]

  /// Whether a picture as text has metadata that may say a place, or cannot be read.
  static func saysPlace(picture text: ArraySlice<UInt8>) -> Bool {
    guard let bytes = decoded(text) else { return true }
    return Marks.isThere(in: bytes)
  }

  /// How XML writes spaces and ends of lines as references.
  private static let spaces: Set = ["#xa", "#xd", "#x9", "#x20", "#10", "#13", "#9", "#32"]

  /// Base64, with lines ended as text or as references; nil where it is none.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (bits, count) = (UInt32(0), 0)
    var reference: String?
    for character in text {
      if let name = reference {
        let isOver = character == UInt8(ascii: ";")
        guard isOver ? spaces.contains(name) : name.utf8.count < 8 else { return nil }
        reference = isOver ? nil : name + Unicode.Scalar(character).properties.lowercaseMapping
        continue
      }
      let value: UInt8
      switch character {
      case 0x41...0x5A: value = character - 0x41
      case 0x61...0x7A: value = character - 0x61 + 26
      case 0x30...0x39: value = character - 0x30 + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "&"):
        reference = ""
        continue
      case UInt8(ascii: "="), 0x20, 0x09, 0x0A, 0x0D: continue
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
