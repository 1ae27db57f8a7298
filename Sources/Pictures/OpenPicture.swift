internal import CPictures
internal import Glibc
internal import Linux
internal import PictureAPI
internal import Places

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
    let mapped = try MappedPicture(file)
    let found =
      if case .film(let reader) = mapped.format {
        FilmReader.describe(file.number, reader: reader)
      } else {
        PictureReader.describe(mapped.bytes, as: mapped.format)
      }
    guard let found else { throw .init() }
    return found
  }

  /// Finds what says where it was taken, as the interface has it.
  ///
  /// - Throws: `Unreadable`.
  static func findPlaces(_ file: borrowing OwnedDescriptor) throws(PicturesInterface.Unreadable) -> String {
    let number = file.number
    guard let size = Int(exactly: pictures_size(number)), size > 0 else { throw .init() }
    // As it is read, not mapped: a film may be longer than this process may be large.
    let source = PictureSource(count: size) { offset, memory in
      pread(number, memory.baseAddress, memory.count, offset)
    }
    guard let found = try? PlaceFinder.overwritings(in: source), let bytes = OverwritingBytes.encode(found)
    else {
      throw .init()
    }
    return OverwritingBytes.text(bytes)
  }

  /// Makes a small picture of it.
  ///
  /// - Throws: `Unreadable`.
  static func render(
    _ file: borrowing OwnedDescriptor, _ rendition: Rendition
  ) throws(PicturesInterface.Unreadable) -> RenderedPicture {
    let mapped = try MappedPicture(file)
    let renderer = PictureRenderer(bytes: mapped.bytes, rendition: rendition)
    guard let picture = renderer.render(mapped.format, file.number) else { throw .init() }
    return picture
  }
}

/// The bytes of a file for as long as this lives, and what they seem to be.
private struct MappedPicture: ~Copyable {
  let bytes: UnsafeRawBufferPointer
  let format: PictureFormat

  init(_ file: borrowing OwnedDescriptor) throws(PicturesInterface.Unreadable) {
    let size = pictures_size(file.number)
    guard size > 0 else { throw .init() }
    let count = Int(min(size, Int64(OpenPicture.mostMapped)))
    guard let start = pictures_map(file.number, count) else { throw .init() }
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let format = PictureFormat(beginning: bytes) else {
      pictures_unmap(start, count)
      throw .init()
    }
    self.bytes = bytes
    self.format = format
  }

  deinit { pictures_unmap(bytes.baseAddress, bytes.count) }
}
