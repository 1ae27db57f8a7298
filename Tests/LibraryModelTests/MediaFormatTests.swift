import Testing

@testable import LibraryModel

@Suite("Media by its content")
struct MediaFormatTests {
  private func sniff(_ bytes: [UInt8]) -> MediaFormat? { MediaFormat(beginning: bytes) }

  @Test("S31: media is known by its content, and has the usual extension of that")
  func sniffing() {
    let known: [(beginning: [UInt8], type: MediaType, ending: String)] = [
      (Content.jpeg, .image, "jpg"), (Content.png, .image, "png"), (Content.cr2, .image, "cr2"),
      (Content.tiff, .image, "tif"), (Content.riff("WEBPVP8 "), .image, "webp"),
      (Content.riff("AVI LIST"), .video, "avi"), (Content.brands("heic", "mif1", "heic"), .image, "heic"),
      (Content.brands("mif1", "mif1", "heic"), .image, "heic"), (Content.brands("mif1"), .image, "heif"),
      (Content.brands("avis", "avif", "msf1", "iso8"), .image, "avifs"),
      (Content.brands("qt  ", "qt  "), .video, "mov"), (Content.brands("mp42", "qt  "), .video, "mp4"),
      (Content.brands("isom", "3gp4"), .video, "mp4"), (Content.brands("3gp5", "isom"), .video, "3gp"),
      (Content.matroska("webm"), .video, "webm"), (Content.matroska("matroska"), .video, "mkv"),
      (Content.transportStream, .video, "mts"), (Content.timedTransportStream, .video, "m2ts"),
    ]
    for (beginning, type, ending) in known {
      #expect(sniff(beginning)?.type == type && sniff(beginning)?.ending == ending)
    }
  }

  @Test("S31: every extension that counts has a content that is accepted, and its usual one counts")
  func everyExtension() {
    #expect(Set(Content.byExtension.keys) == Set(MediaType.extensions.keys))
    for (ending, content) in Content.byExtension {
      let format = sniff(content)
      #expect(format?.type == MediaType.extensions[ending], "\(ending)")
      #expect(format?.type == format.flatMap { MediaType.extensions[$0.ending] }, "\(ending)")
    }
  }

  @Test(
    "S31: text and sound are no media, whatever they begin with",
    arguments: [
      Array("#!/bin/sh\n".utf8), [], Array("BMW and others build cars.".utf8),
      Array("The free encyclopedia".utf8), Array("IIRS is a word".utf8), Array("The mdat box".utf8),
      Array("MMORPGs are games.".utf8), [UInt8](repeating: UInt8(ascii: "G"), count: 300),
      Content.jp2 + [0, 0, 0, 20] + Array("ftypmjp2".utf8), [40, 0, 0, 0] + [UInt8](repeating: 7, count: 40),
      Content.brands("M4A ", "isom"), Content.ogg("\u{1}vorbis"), Content.ogg("OpusHead"),
    ])
  func refused(_ content: [UInt8]) {
    #expect(sniff(content)?.ending == nil)
  }

  @Test("S31: only QuickTime and MP4 belong to a photo")
  func movies() {
    let endings: [String: String] = [
      "mov": "mov", "qt": "mov", "mp4": "mp4", "m4v": "mp4", "3gp": "mp4", "3gpp": "mp4", "3g2": "mp4",
      "insv": "mp4",
    ]
    for (ending, content) in Content.byExtension {
      #expect(sniff(content)?.movieEnding == endings[ending], "\(ending)")
    }
  }

  @Test(
    "S31: a name without an extension of what it holds gets one",
    arguments: [
      ("photo", "photo.jpg"), ("IMG.txt", "IMG.txt.jpg"), ("a.mp4", "a.mp4.jpg"), ("a.JPG", "a.JPG"),
      ("a.png", "a.png"), ("a.jpg.part", "a.jpg.part.jpg"),
    ])
  func naming(name: String, fitting: String) throws {
    let format = try #require(sniff(Content.jpeg))
    #expect(FileName(name).fitting(format) == FileName(fitting))
  }
}

/// How files of each format begin.
private enum Content {
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
  static let png: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
  static let tiff: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
  static let cr2: [UInt8] = [0x49, 0x49, 0x2A, 0, 0x10, 0, 0, 0, 0x43, 0x52, 2, 0]
  static let bmp: [UInt8] = Array("BM".utf8) + [0x46, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]
  /// As ImageMagick writes it: nothing before the header of the bits.
  static let dib: [UInt8] = [40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0, 0, 0, 0, 0]
  static let jp2: [UInt8] = [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A]
  static let transportStream = packets(of: 188, sync: 0)
  static let timedTransportStream = packets(of: 192, sync: 4)
  static let program: [UInt8] = [0, 0, 1, 0xBA, 0x44]

  /// Three packets, where each begins so many bytes before its sync byte.
  private static func packets(of length: Int, sync: Int) -> [UInt8] {
    var packet = [UInt8](repeating: 0xFF, count: length)
    packet[sync] = 0x47
    return packet + packet + packet
  }

  static func riff(_ kind: String) -> [UInt8] { Array("RIFF".utf8) + [0, 0, 1, 0] + Array(kind.utf8) }

  static func brands(_ major: String, _ others: String...) -> [UInt8] {
    [0, 0, 0, UInt8(16 + 4 * others.count)] + Array("ftyp\(major)".utf8) + [0, 0, 0, 0]
      + others.flatMap { Array($0.utf8) }
  }

  static func matroska(_ kind: String) -> [UInt8] {
    [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x80 | UInt8(kind.utf8.count)]
      + Array(kind.utf8)
  }

  /// A page with one packet.
  static func ogg(_ packet: [UInt8]) -> [UInt8] {
    Array("OggS".utf8) + [0, 2] + [UInt8](repeating: 0, count: 20) + [1, UInt8(packet.count)] + packet
  }

  static func ogg(_ packet: String) -> [UInt8] { ogg(Array(packet.utf8)) }

  static let byExtension: [String: [UInt8]] = {
    let contents: [(extensions: String, content: [UInt8])] = [
      ("jpg jpeg jpe jfif", jpeg), ("png apng", png), ("gif", Array("GIF89a".utf8)),
      ("webp", riff("WEBPVP8X")),
      ("heic", brands("heic", "mif1")), ("heics", brands("hevc", "msf1")), ("heif", brands("mif1")),
      ("heifs", brands("msf1")), ("hif", brands("heix", "mif1")), ("avif", brands("avif", "mif1")),
      ("avifs", brands("avis", "avif", "msf1")), ("bmp", bmp), ("dib", dib),
      ("tif tiff dng gpr nef nrw arw srf sr2 pef ptx srw iiq 3fr fff dcr kdc erf mef mos", tiff),
      ("cr2", cr2),
      ("jxl", [0xFF, 0x0A]), ("jp2 jpf jpx", jp2), ("j2k j2c jpc", [0xFF, 0x4F, 0xFF, 0x51, 0, 41]),
      ("psd", Array("8BPS".utf8)), ("raw rw2 rwl", [0x49, 0x49, 0x55, 0]), ("orf", Array("IIRO\u{8}\0".utf8)),
      ("raf", Array("FUJIFILMCCD-RAW".utf8)), ("x3f", Array("FOVb".utf8)), ("cr3", brands("crx ", "isom")),
      ("crw", Array("II".utf8) + [0x1A, 0, 0, 0] + Array("HEAPCCDR".utf8)), ("mrw", [0] + Array("MRM".utf8)),
      ("mp4 insv", brands("isom", "mp42")), ("m4v", brands("M4V ", "isom")), ("mov qt", brands("qt  ")),
      ("mkv", matroska("matroska")), ("webm", matroska("webm")), ("avi", riff("AVI LIST")),
      ("3gp 3gpp", brands("3gp5", "isom")), ("3g2", brands("3g2a")), ("mpg mpeg", program),
      ("mts", transportStream), ("m2ts", timedTransportStream),
      ("wmv", [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C]),
      ("ogv", ogg([0x80] + Array("theora".utf8))),
    ]
    return Dictionary(
      uniqueKeysWithValues: contents.flatMap { extensions, content in
        extensions.split(separator: " ").map { (String($0), content) }
      })
  }()
}
