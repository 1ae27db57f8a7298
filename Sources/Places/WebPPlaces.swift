/// Places in a WebP file (RFC 9649): its chunks of Exif and XMP.
enum WebPPlaces {
  /// Chunks of one file: of an animation, one for each frame.
  private static let mostChunks = 1 << 16

  static func find(in view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    guard view.count >= 12, try view.has("RIFF"), try view.has("WEBP", at: 8) else { throw Untraceable() }
    // Some readers go by the length of the whole, others by that of the file.
    let end = view.count
    var at = 12
    for _ in 0..<mostChunks {
      guard end - at >= 8 else { return try Marks.refuse(view.from(at)) }
      let type = try view.start(4, at: at)
      let length = try view.number(at: at + 4, 4, isBig: false)
      // What is cut off has not said everything.
      guard length <= end - at - 8 else { return try Marks.refuse(view.from(at)) }
      let content = view[at + 8..<at + 8 + length]
      if type.elementsEqual("EXIF".utf8) {
        let isMarked = try content.has("Exif\0\0")
        try TIFFPlaces.find(in: content.from(isMarked ? 6 : 0), &found)
      } else if type.elementsEqual("XMP ".utf8) {
        try XMPPlaces.find(in: content, &found)
      } else if !["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"].contains(where: {
        type.elementsEqual($0.utf8)
      }) {
        // Somebody's own.
        try found.empty(content)
      }
      at += 8 + length + length % 2
      if at >= end { return }
    }
    throw Untraceable()
  }
}
