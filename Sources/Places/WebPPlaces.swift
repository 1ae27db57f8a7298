/// Places in a WebP file (RFC 9649): its chunks of Exif and XMP.
enum WebPPlaces {
  /// Chunks of one file: of an animation, one for each frame.
  private static let mostChunks = 1 << 16

  static func find(in view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    guard view.count >= 12, try view.has("RIFF"), try view.has("WEBP", at: 8) else { throw Untraceable() }
    // Some readers go by the length of the whole, others by that of the file.
    try look(at: view, from: 12, &found)
  }

  /// - Parameter isFrame: whether the chunks are of a frame, which holds no frames.
  private static func look(
    at view: SourceView, from start: Int, isFrame: Bool = false, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    let end = view.count
    var at = start
    for _ in 0..<mostChunks {
      if at >= end { return }
      guard end - at >= 8 else { return try Marks.refuse(view.from(at)) }
      let type = String(decoding: try view.start(4, at: at), as: UTF8.self)
      let length = try view.number(at: at + 4, 4, isBig: false)
      // What is cut off has not said everything.
      guard length <= end - at - 8 else { return try Marks.refuse(view.from(at)) }
      let content = view[at + 8..<at + 8 + length]
      switch type {
      case "EXIF":
        let isMarked = try content.has("Exif\0\0")
        try TIFFPlaces.find(in: content.from(isMarked ? 6 : 0), &found)
      case "XMP ": try XMPPlaces.find(in: content, &found)
      // Where it is, how large, and how long it is shown; then chunks.
      case "ANMF" where !isFrame: try look(at: content, from: min(16, length), isFrame: true, &found)
      case "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ICCP": break
      // Somebody's own.
      default: try found.empty(content)
      }
      at += 8 + length + length % 2
    }
    throw Untraceable()
  }
}
