internal import CPictures
internal import Linux
internal import PictureAPI

/// A file that was handed over: nothing is known of it but its bytes.
enum OpenPicture {
  /// The most of a file that is mapped: more than any picture has, and less than a process may take.
  static let mostMapped = 512 << 20

  /// Reads what it says of itself.
  ///
  /// - Throws: `Unreadable`.
  static func describe(_ file: borrowing OwnedDescriptor) throws(PicturesInterface.Unreadable)
    -> PicturesInterface.Description
  {
    let size = pictures_size(file.number)
    guard size > 0 else { throw .init() }
    let count = Int(min(size, Int64(mostMapped)))
    guard let start = pictures_map(file.number, count) else { throw .init() }
    defer { pictures_unmap(start, count) }
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let format = PictureFormat(beginning: bytes) else { throw .init() }
    let found =
      if case .film(let reader) = format {
        FilmReader.describe(file.number, reader: reader)
      } else {
        PictureReader.describe(bytes, as: format)
      }
    guard let found else { throw .init() }
    return found
  }
}
