internal import CPictures
internal import Linux

/// Makes a small picture of one file: from its bytes in memory, of a film from its descriptor.
struct PictureRenderer {
  let bytes: UnsafeRawBufferPointer
  let rendition: Rendition

  /// An embedded preview is large enough with so many pixels on its longer side, however many are wanted: what is smaller
  /// is for the display of a camera.
  private static let leastEmbedded = 640

  /// - Returns: nil where no picture can be made of it.
  func render(_ format: PictureFormat, _ descriptor: CInt) -> RenderedPicture? {
    switch format {
    case .png: render(bytes, PICTURES_PNG)
    case .webp: render(bytes, PICTURES_WEBP)
    case .gif: render(bytes, PICTURES_GIF)
    case .heif: renderHEIF()
    case .fujifilmRaw: FujifilmRaw(bytes).flatMap { render($0.jpeg, PICTURES_JPEG) }
    case .metadata(let isRaw):
      if bytes.starts(with: [0xFF, 0xD8]) { render(bytes, PICTURES_JPEG) } else { renderTIFF(isRaw) }
    case .bigTIFF: render(bytes, PICTURES_TIFF)
    case .still(let kind): renderStill(kind)
    case .film(let reader): renderPoster(descriptor, reader)
    // The reader that libvips has for it is one that its makers do not hold to be safe.
    case .jpegXL: nil
    }
  }

  private func render(
    _ bytes: UnsafeRawBufferPointer, _ loader: pictures_loader, orientation: Int = 0
  ) -> RenderedPicture? {
    var out = pictures_rendering()
    let result = pictures_render(
      bytes.baseAddress, bytes.count, loader, CInt(clamping: orientation), rendition.wanted, &out)
    return finish(result, out)
  }

  /// Of a phone that is newer than libheif, what that can read of it.
  private func renderHEIF() -> RenderedPicture? {
    if let picture = render(bytes, PICTURES_HEIF) { return picture }
    guard let readable = HEIFReferences.withoutShared(bytes) else { return nil }
    return readable.span.bytes.withUnsafeBytes { render($0, PICTURES_HEIF) }
  }

  private func finish(_ result: CInt, _ out: pictures_rendering) -> RenderedPicture? {
    defer { pictures_free(out.bytes) }
    return result == 0 ? RenderedPicture(out) : nil
  }

  /// A TIFF, or RAW that is one: then it is the picture that the camera put beside what its sensor saw.
  private func renderTIFF(_ isRaw: Bool) -> RenderedPicture? {
    guard let metadata = PictureMetadata(bytes) else { return isRaw ? nil : render(bytes, PICTURES_TIFF) }
    guard isRaw || RawPicture.isRaw(metadata) else { return render(bytes, PICTURES_TIFF) }
    return metadata.withPreview(pixels: rendition.pixels) { preview, longerSide in
      guard longerSide >= min(rendition.pixels, Self.leastEmbedded) else { return nil }
      // Turned as the whole is, unless it says so itself.
      let isTurnedItself = pictures_orientation(preview.baseAddress, preview.count) > 1
      let orientation = isTurnedItself ? 0 : PictureReader.orientation(metadata)
      return render(preview, PICTURES_JPEG, orientation: orientation)
    }
  }

  private func renderPoster(_ descriptor: CInt, _ reader: String) -> RenderedPicture? {
    guard let film = pictures_film_open(descriptor, reader) else { return nil }
    defer { pictures_film_close(film) }
    var track = pictures_track()
    guard pictures_film_track(film, &track) == 0 else { return nil }
    var pixels = pictures_pixels()
    guard pictures_film_poster(film, &pixels) == 0 else { return nil }
    defer { pictures_free_pixels(pixels) }
    let orientations: [CInt: CInt] = [90: 6, 180: 3, 270: 8]
    return render(pixels, profile: nil, orientation: orientations[track.rotation] ?? 1)
  }

  private func renderStill(_ kind: StillPicture.Kind) -> RenderedPicture? {
    guard let picture = StillPicture(bytes, kind) else { return nil }
    let orientation = kind.hasMetadata ? PictureMetadata(bytes).map(PictureReader.orientation) : nil
    // As much more than is wanted as of a JPEG that is decoded small.
    return picture.withPixels(kind, atLeast: rendition.pixels * 7 / 5, isSquare: rendition.isSquare) {
      pixels in
      render(pixels, profile: picture.profile, orientation: CInt(clamping: orientation ?? 1))
    }
  }

  private func render(
    _ pixels: pictures_pixels, profile: UnsafeRawBufferPointer?, orientation: CInt
  ) -> RenderedPicture? {
    var out = pictures_rendering()
    let result = pictures_render_pixels(
      pixels, profile?.baseAddress, profile?.count ?? 0, orientation, rendition.wanted, &out)
    return finish(result, out)
  }
}
