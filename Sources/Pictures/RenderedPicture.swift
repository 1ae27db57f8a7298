internal import CPictures
internal import Linux

/// What is wanted of a picture.
struct Rendition {
  /// The most pixels of its longer side: it is never enlarged.
  let pixels: Int
  /// Whether the square in the middle is cut out.
  let isSquare: Bool
  /// Whether it is written as a binary PPM.
  let isPixmap: Bool

  var wanted: pictures_rendition {
    pictures_rendition(
      pixels: CInt(clamping: pixels), is_square: isSquare ? 1 : 0, is_pixmap: isPixmap ? 1 : 0)
  }
}

/// A small picture in a sealed memory file.
struct RenderedPicture: ~Copyable {
  /// In pixels.
  let size: (width: Int, height: Int)
  /// Else JPEG, or a pixmap where that was wanted.
  let isWebP: Bool
  let byteCount: Int
  private let file: OwnedDescriptor

  /// Puts into a memory file what libvips has made.
  ///
  /// - Returns: nil where no memory is to be had.
  init?(_ rendering: pictures_rendering) {
    let number = pictures_sealed(rendering.bytes, rendering.count)
    guard number >= 0 else { return nil }
    file = OwnedDescriptor(owning: number)
    size = (Int(rendering.width), Int(rendering.height))
    isWebP = rendering.is_webp != 0
    byteCount = rendering.count
  }

  /// Gives the memory file to the caller.
  consuming func take() -> OwnedDescriptor { file }
}
