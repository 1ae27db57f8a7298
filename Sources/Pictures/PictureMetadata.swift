internal import CPictures
internal import Glibc

/// The metadata of one file, open as long as this lives.
final class PictureMetadata {
  private let handle: OpaquePointer

  /// Reads what is in memory, and must stay there; nil where there is none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty, let handle = pictures_metadata_open(bytes.baseAddress, bytes.count) else {
      return nil
    }
    self.handle = handle
  }

  deinit { pictures_metadata_close(handle) }

  /// As stored; nil where it is not known.
  var size: (width: Int, height: Int)? {
    let (width, height) = (Int(pictures_metadata_width(handle)), Int(pictures_metadata_height(handle)))
    if width > 0, height > 0 { return (width, height) }
    // What the camera wrote down: Canon's RAW says it nowhere else.
    guard let width = self["Exif.Photo.PixelXDimension"].flatMap({ Int($0) }),
      let height = self["Exif.Photo.PixelYDimension"].flatMap({ Int($0) }), width > 0, height > 0
    else { return nil }
    return (width, height)
  }

  /// The value of a tag, without blanks around it; nil where it is not there or empty.
  subscript(_ tag: String) -> String? {
    guard let text = pictures_metadata_text(handle, tag) else { return nil }
    defer { pictures_free(text) }
    // What a file says may be of any length.
    let bytes = UnsafeRawBufferPointer(start: text, count: strnlen(text, 1024))
    let value = String(decoding: bytes, as: UTF8.self)
    let trimmed = value.drop { $0.isWhitespace }
    guard let end = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(trimmed[...end])
  }

  /// The picture within the picture, a JPEG, that has so many pixels on its longer side, else the largest.
  func withPreview<Result: ~Copyable>(
    pixels: Int, _ body: (UnsafeRawBufferPointer, _ longerSide: Int) -> Result?
  ) -> Result? {
    var count = 0
    var longerSide: CInt = 0
    guard let start = pictures_metadata_preview(handle, CInt(clamping: pixels), &count, &longerSide) else {
      return nil
    }
    defer { pictures_free(start) }
    return body(UnsafeRawBufferPointer(start: start, count: count), Int(longerSide))
  }

  /// Whether one of the tags has one of the values.
  func says(_ values: Set<String>, in tags: String...) -> Bool {
    tags.contains { self[$0].map(values.contains) ?? false }
  }
}
