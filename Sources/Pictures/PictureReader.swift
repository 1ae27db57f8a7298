internal import CPictures
internal import PictureAPI

/// Reads what one picture says of itself, from its bytes in memory.
struct PictureReader {
  private let bytes: UnsafeRawBufferPointer
  private var description = PicturesInterface.Description.empty

  /// - Returns: nil where the file is not what it seems to be.
  static func describe(
    _ bytes: UnsafeRawBufferPointer, as format: PictureFormat
  ) -> PicturesInterface.Description? {
    var reader = PictureReader(bytes: bytes)
    return reader.read(format) ? reader.description : nil
  }

  private init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private mutating func read(_ format: PictureFormat) -> Bool {
    switch format {
    case .metadata(let isRaw):
      if isRaw { description.add(.raw) }
      return readMetadata(bytes) || readFront()
    case .fujifilmRaw:
      guard let raw = FujifilmRaw(bytes) else { return false }
      description.add(.raw)
      return readMetadata(raw.jpeg, size: raw.size)
    case .png:
      let chunks = PNGChunks(bytes)
      if chunks.isAnimated { description.add(.animated) }
      if let software = chunks.software, software.lowercased().contains("screenshot") {
        description.add(.screenshot)
      }
      if readMetadata(bytes) { return true }
      // What libexiv2 refuses for its metadata is a picture all the same.
      guard let size = chunks.size, size.width > 0, size.height > 0 else { return false }
      setSize(size.width, size.height)
      return true
    case .webp:
      _ = readMetadata(bytes)
      return countFrames(PICTURES_WEBP)
    case .gif: return countFrames(PICTURES_GIF)
    case .heif(let isAnimated): return readHEIF(isAnimated: isAnimated)
    case .jpegXL: return readJPEGXL()
    case .bigTIFF: return readBigTIFF()
    case .still(let kind): return readStill(kind)
    case .film: return false
    }
  }

  // MARK: Formats

  /// - Parameter size: the picture's, if it is not that of these bytes.
  private mutating func readMetadata(
    _ bytes: UnsafeRawBufferPointer, size: (width: Int, height: Int)? = nil
  ) -> Bool {
    guard let metadata = PictureMetadata(bytes) else { return false }
    if let size = size ?? RawPicture.size(metadata) ?? metadata.size {
      setSize(size.width, size.height, orientation: Self.orientation(metadata))
    }
    if RawPicture.isRaw(metadata) { description.add(.raw) }
    description.add(exif: metadata, xmp: metadata)
    return true
  }

  /// Canon's RAW of the third kind says everything before its previews and pixels: what is wrong there does not matter to it.
  private mutating func readFront() -> Bool {
    guard bytes.dropFirst(4).starts(with: "ftypcrx ".utf8) else { return false }
    let boxes = Array(ISOBox.all(in: bytes))
    // What is cut off has not said everything (S51).
    guard boxes.last?.content.upperBound == bytes.count, let film = boxes.first(where: { $0.type == "moov" })
    else { return false }
    return readMetadata(UnsafeRawBufferPointer(rebasing: bytes[..<film.content.upperBound]))
  }

  private mutating func countFrames(_ loader: pictures_loader) -> Bool {
    var image = pictures_image()
    guard pictures_image_open(bytes.baseAddress, bytes.count, loader, &image) == 0 else { return false }
    defer { pictures_image_close(&image) }
    if image.pages > 1 { description.add(.animated) }
    if description.pixelWidth == nil { setSize(Int(image.width), Int(image.height)) }
    addBlocks(exif: image.exif, image.exif_count, xmp: image.xmp, image.xmp_count)
    return true
  }

  private mutating func readHEIF(isAnimated: Bool) -> Bool {
    if isAnimated { description.add(.animated) }
    if readHEIF(bytes) { return true }
    if let readable = HEIFReferences.withoutShared(bytes), readable.withUnsafeBytes({ readHEIF($0) }) {
      return true
    }
    // Phones that are newer than libheif write what it refuses. Then Exif says how it is turned, as they write it too.
    let end = ISOBox.all(in: bytes).reduce(0) { $1.content.upperBound }
    guard end == bytes.count, let metadata = PictureMetadata(bytes), metadata.size != nil else {
      return false
    }
    return readMetadata(bytes)
  }

  /// The same by libheif.
  private mutating func readHEIF(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var image = pictures_image()
    guard pictures_image_open(bytes.baseAddress, bytes.count, PICTURES_HEIF, &image) == 0 else {
      return false
    }
    defer { pictures_image_close(&image) }
    // The container has turned it; what Exif says of that is for those who do not know the container.
    setSize(Int(image.width), Int(image.height))
    addBlocks(exif: image.exif, image.exif_count, xmp: image.xmp, image.xmp_count)
    // Libheif does not hand out every block of Exif: some phones' refers to no picture of theirs.
    if description.takenLocal == nil, description.place == nil, let metadata = PictureMetadata(bytes) {
      description.add(exif: metadata, xmp: metadata)
    }
    return true
  }

  private mutating func readJPEGXL() -> Bool {
    guard let picture = JPEGXL(bytes) else { return false }
    setSize(picture.width, picture.height, orientation: picture.orientation)
    if picture.isAnimated { description.add(.animated) }
    addBlocks(
      exif: picture.exif.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) },
      xmp: picture.xmp.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
    return true
  }

  /// By libvips, which hands out no Exif of it.
  private mutating func readBigTIFF() -> Bool {
    var image = pictures_image()
    guard pictures_image_open(bytes.baseAddress, bytes.count, PICTURES_TIFF, &image) == 0 else {
      return false
    }
    defer { pictures_image_close(&image) }
    setSize(Int(image.width), Int(image.height), orientation: Int(image.orientation))
    addBlocks(exif: image.exif, image.exif_count, xmp: image.xmp, image.xmp_count)
    return true
  }

  private mutating func readStill(_ kind: StillPicture.Kind) -> Bool {
    guard let picture = StillPicture(bytes, kind) else { return false }
    if kind.hasMetadata, readMetadata(bytes, size: picture.size) { return true }
    setSize(picture.size.width, picture.size.height)
    return true
  }

  // MARK: Parts

  private mutating func addBlocks(
    exif: UnsafeMutableRawPointer?, _ exifCount: Int, xmp: UnsafeMutableRawPointer?, _ xmpCount: Int
  ) {
    addBlocks(
      exif: exif.map { UnsafeRawBufferPointer(start: $0, count: exifCount) },
      xmp: xmp.map { UnsafeRawBufferPointer(start: $0, count: xmpCount) })
  }

  /// Exif that stands alone is a TIFF file, and XMP a file of its own kind.
  private mutating func addBlocks(exif: UnsafeRawBufferPointer?, xmp: UnsafeRawBufferPointer?) {
    let exif = exif.flatMap { block in
      let isMarked = block.starts(with: "Exif\0\0".utf8)
      return PictureMetadata(UnsafeRawBufferPointer(rebasing: block[(isMarked ? 6 : 0)...]))
    }
    let xmp = xmp.flatMap { PictureMetadata($0) }
    // Either has nothing of the other's tags.
    guard let some = exif ?? xmp else { return }
    description.add(exif: exif ?? some, xmp: xmp ?? some)
  }

  /// How it is turned, as Exif counts.
  static func orientation(_ metadata: PictureMetadata) -> Int {
    let tags = ["Exif.Image.Orientation", "Exif.PanasonicRaw.Orientation", "Xmp.tiff.Orientation"]
    return tags.lazy.compactMap { metadata[$0] }.first.flatMap { Int($0) } ?? 1
  }

  /// - Parameter orientation: as Exif counts; from 5 on, the picture lies on its side.
  private mutating func setSize(_ width: Int, _ height: Int, orientation: Int = 1) {
    guard width > 0, height > 0 else { return }
    let isTurned = (5...8).contains(orientation)
    description.pixelWidth = isTurned ? height : width
    description.pixelHeight = isTurned ? width : height
  }
}
