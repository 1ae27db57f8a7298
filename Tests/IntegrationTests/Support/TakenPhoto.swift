/// A JPEG file without a picture, that says when, where and how large it would be (Exif 2.32).
struct TakenPhoto {
  /// `2024:05:01 12:30:15`, by the camera's clock.
  var time: String
  /// `+02:00`.
  var offset: String?
  var width: UInt16 = 640
  var height: UInt16 = 480
  /// Whole degrees north and east.
  var place: (north: UInt32, east: UInt32)?

  /// The file.
  var bytes: [UInt8] {
    let exif = Array("Exif\0\0".utf8) + tiff
    let size = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
    return [0xFF, 0xD8, 0xFF, 0xE1] + big(exif.count + 2) + exif + [0xFF, 0xC0, 0, 11, 8] + size
      + [1, 1, 0x11, 0, 0xFF, 0xD9]
  }

  private func big(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

  private struct Entry {
    let tag: UInt16
    let type: UInt16
    let count: UInt32
    /// Four bytes, or what lies elsewhere.
    let value: [UInt8]
  }

  private var tiff: [UInt8] {
    var texts = [text(0x9003, time)]
    if let offset { texts.append(text(0x9011, offset)) }
    var bytes = Array("II*\0".utf8) + little(UInt32(8))
    let count = place == nil ? 1 : 2
    let taken = directory(texts, at: bytes.count + 6 + 12 * count)
    let exif = Entry(tag: 0x8769, type: 4, count: 1, value: little(UInt32(bytes.count + 6 + 12 * count)))
    guard let place else {
      bytes += directory([exif], at: bytes.count) + taken
      return bytes
    }
    let start = bytes.count + 6 + 12 * count + taken.count
    let gps = Entry(tag: 0x8825, type: 4, count: 1, value: little(UInt32(start)))
    bytes += directory([exif, gps], at: bytes.count) + taken
    bytes += directory(
      [
        text(1, "N"), degrees(2, place.north), text(3, "E"), degrees(4, place.east),
      ], at: start)
    return bytes
  }

  private func text(_ tag: UInt16, _ text: String) -> Entry {
    Entry(tag: tag, type: 2, count: UInt32(text.utf8.count + 1), value: Array(text.utf8) + [0])
  }

  private func degrees(_ tag: UInt16, _ degrees: UInt32) -> Entry {
    Entry(tag: tag, type: 5, count: 3, value: [degrees, 1, 0, 1, 0, 1].flatMap(little))
  }

  private func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
    var (rows, rest): ([UInt8], [UInt8]) = (little(UInt16(entries.count)), [])
    for entry in entries {
      rows += little(entry.tag) + little(entry.type) + little(entry.count)
      if entry.value.count <= 4 {
        rows += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        rows += little(UInt32(start + 6 + 12 * entries.count + rest.count))
        rest += entry.value + (entry.value.count % 2 == 1 ? [0] : [])
      }
    }
    return rows + little(UInt32(0)) + rest
  }

  private func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
