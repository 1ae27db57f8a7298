/// A format of stills or films, known by how its files begin (S31).
///
/// Only magic numbers are read: whether the rest of the file is sound is not decided here.
package struct MediaFormat: Hashable, Sendable {
  /// What a file of it holds: a still or a film.
  package let type: MediaType
  /// The extension that it usually has, of those that count.
  package let ending: String

  /// How many bytes from the start of a file are enough: two packets of a transport stream, and what begins a third.
  package static let beginningLength = 512

  /// The format of a file by its first bytes; `nil` if they are not those of a known media format.
  package init?(beginning: some Collection<UInt8>) {
    let start = Array(beginning.prefix(MediaFormat.beginningLength))
    func has(_ part: MediaSignature.Part) -> Bool { start.dropFirst(part.offset).starts(with: part.bytes) }
    let found = MediaSignature.all.first { $0.parts.allSatisfy(has) && $0.isMet(start) }
    guard let found = found?.format ?? MediaFormat(brandsOf: start) else { return nil }
    self = found
  }

  init(_ type: MediaType, _ ending: String) {
    self.type = type
    self.ending = ending
  }

  /// The extension of a movie of this format as part of a photo, if it can be one: QuickTime or MP4.
  package var movieEnding: String? {
    switch ending {
    case "mov": "mov"
    case "mp4", "m4v", "3gp", "3g2": "mp4"
    default: nil
    }
  }

  /// ISO/IEC 14496-12: the major brand, then the compatible ones, tell a still from a film.
  private init?(brandsOf start: [UInt8]) {
    guard start.count >= 12, start[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    let length = start.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let places = [8] + stride(from: 16, through: min(length, start.count) - 4, by: 4)
    let brands = places.map { start[$0..<$0 + 4] }
    if ["M4A ", "M4B ", "M4P ", "F4A "].contains(where: { brands[0].elementsEqual($0.utf8) }) { return nil }
    for formats in formatsOfBrands {
      for brand in brands {
        for (known, format) in formats
        where known.split(separator: " ").contains(where: { brand.starts(with: $0.utf8) }) {
          self = format
          return
        }
      }
    }
    return nil
  }
}

/// What brands begin with, and their formats; those that tell more come before those that tell less, and stills,
/// which name brands of films too, before films.
private let formatsOfBrands: [[(brands: String, format: MediaFormat)]] = [
  [
    ("heic heix heim heis", MediaFormat(.image, "heic")), ("hevc hevx", MediaFormat(.image, "heics")),
    ("avif", MediaFormat(.image, "avif")), ("avis", MediaFormat(.image, "avifs")),
    ("crx", MediaFormat(.image, "cr3")),
  ],
  [("mif1", MediaFormat(.image, "heif")), ("msf1", MediaFormat(.image, "heifs"))],
  [
    ("qt", MediaFormat(.video, "mov")), ("M4V", MediaFormat(.video, "m4v")),
    ("3gp", MediaFormat(.video, "3gp")), ("3g2", MediaFormat(.video, "3g2")),
    ("iso mp41 mp42 mp71 avc1 dash mmp4 f4v F4V MSNV XAVC ndsc", MediaFormat(.video, "mp4")),
  ],
]

extension FileName {
  /// This name if its extension is one of that kind of media, else with the format's after it.
  package func fitting(_ format: MediaFormat) -> FileName {
    MediaType(name: self) == format.type ? self : FileName(bytes + Array(".\(format.ending)".utf8))
  }
}
