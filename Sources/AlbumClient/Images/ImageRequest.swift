/// A size in pixels. PhotoKit: `CGSize`.
public struct ImageSize: Hashable, Sendable {
  /// How wide.
  public var width: Int
  /// How high.
  public var height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// As large as previews are. PhotoKit: `PHImageManagerMaximumSize`; **differs**: for the file itself there is
  /// ``ImageManager/requestImageData(for:options:)``.
  public static let maximum = ImageSize(width: 4096, height: 4096)
}

/// How a picture is to fit its place. PhotoKit: `PHImageContentMode`.
public enum ImageContentMode: Hashable, Sendable {
  /// All of it is to be seen: its sides are at most those of the place.
  case aspectFit
  /// The whole place is to be covered: its sides are at least those of the place, as far as it has so many pixels. For a
  /// square place the square in its middle comes.
  case aspectFill
}

/// How a picture is asked for. PhotoKit: `PHImageRequestOptions`.
public struct ImageRequestOptions: Sendable {
  /// Which pictures come. PhotoKit: `PHImageRequestOptionsDeliveryMode`.
  public enum DeliveryMode: Hashable, Sendable {
    /// A small one first, marked as degraded, then the one that was asked for.
    case opportunistic
    /// Only the one that was asked for.
    case highQualityFormat
    /// Only a small one.
    case fastFormat
  }

  /// Which pictures come.
  public var deliveryMode = DeliveryMode.opportunistic
  /// Told how far it is, 0 to 1, on no particular thread: of a file, how much of it was read
  /// (``ImageManager/requestImageData(for:options:)``); of a picture, that the last one was asked for, and that it is there
  /// (``ImageManager/requestImage(for:targetSize:contentMode:options:)``).
  public var progressHandler: (@Sendable (Double) -> Void)?

  /// The usual ones.
  public init(
    deliveryMode: DeliveryMode = .opportunistic, progressHandler: (@Sendable (Double) -> Void)? = nil
  ) {
    self.deliveryMode = deliveryMode
    self.progressHandler = progressHandler
  }
}

/// A picture that was asked for. PhotoKit: the image and the info of a result handler.
public struct ImageResult: Hashable, Sendable {
  /// A file of its media type.
  public let bytes: [UInt8]
  /// `image/jpeg` or `image/webp`.
  public let mediaType: String
  /// In pixels, upright.
  public let size: ImageSize
  /// Whether a better one follows. PhotoKit: `PHImageResultIsDegradedKey`.
  public let isDegraded: Bool
}

/// What is asked of the daemon for a place: pixels of the longer side, and whether a square is cut out.
struct PreviewSize: Hashable, Sendable {
  let pixels: Int
  let crop: Bool

  /// What comes first where a better one follows: the smallest that is kept.
  static let degradedPixels = 256
  private static let range = 16...4096

  init(pixels: Int, crop: Bool) {
    self.pixels = min(max(pixels, Self.range.lowerBound), Self.range.upperBound)
    self.crop = crop
  }

  /// What comes first, or alone where it has to be fast.
  var small: PreviewSize { PreviewSize(pixels: min(pixels, Self.degradedPixels), crop: crop) }

  /// - Parameter original: the picture's own size, where it is known.
  init(_ target: ImageSize, _ mode: ImageContentMode, of original: ImageSize?) {
    let (width, height) = (max(1, target.width), max(1, target.height))
    switch mode {
    case .aspectFill where width == height: self.init(pixels: width, crop: true)
    case .aspectFit, .aspectFill:
      guard let original, original.width > 0, original.height > 0 else {
        // Of a picture that is twice as long as it is wide, and few are longer.
        self.init(pixels: max(width, height) * (mode == .aspectFill ? 2 : 1), crop: false)
        return
      }
      let scales = [Double(width) / Double(original.width), Double(height) / Double(original.height)]
      let scale = (mode == .aspectFit ? scales.min() : scales.max()) ?? 1
      let longer = (Double(max(original.width, original.height)) * min(scale, 1)).rounded(.up)
      self.init(pixels: Int(longer), crop: false)
    }
  }
}
