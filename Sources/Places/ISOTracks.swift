/// Which tracks of a film are let through: those of pictures, sound and the time, and what phones note beside each picture.
///
/// What a track of anything else says stands between everybody else's samples, where nobody here reads it: captions of drones
/// (`text`, `sbtl`), what the sensors of cameras have measured (`gpmd`, `camm`, `rtmd`), and what is yet to be invented.
struct ISOTracks {
  private let view: SourceView

  /// Pictures, those beside others (depth, how opaque they are), sequences of stills, sound, timecode.
  private static let handlers: Set = ["vide", "auxv", "pict", "soun", "tmcd"]
  /// Their samples tell of sensors, whatever the track calls itself.
  private static let sensors = ["gpmd", "camm", "rtmd", "fdsc", "application/gps"].map { Array($0.utf8) }
  /// What the samples of phones' tracks of metadata are, where it is said as a type of medium: where in a motion photo the
  /// picture is.
  private static let media = ["application/microvideo", "application/motionphoto"].map { Array($0.utf8) }
  /// The longest description of samples that is looked through.
  private static let longest = 1 << 20

  /// Looks at the `mdia` of a track.
  ///
  /// - Throws: ``Untraceable`` where it is none that is let through.
  static func refuseOthers(_ media: ISOPlaces.Box, in view: SourceView) throws(Untraceable) {
    let tracks = ISOTracks(view: view)
    let boxes = try tracks.boxes(in: media.content)
    guard let handler = boxes.last(where: { $0.type == "hdlr" }), handler.content.count >= 12,
      boxes.count(where: { $0.type == "hdlr" }) == 1
    else { throw Untraceable() }
    let type = try view.start(4, at: handler.content.lowerBound + 8)
    let isOfMetadata = type.elementsEqual("meta".utf8)
    guard isOfMetadata || handlers.contains(where: { type.elementsEqual($0.utf8) }) else {
      throw Untraceable()
    }
    for information in boxes where information.type == "minf" {
      for table in try tracks.boxes(in: information.content) where table.type == "stbl" {
        for samples in try tracks.boxes(in: table.content) where samples.type == "stsd" {
          try tracks.look(at: samples, isOfMetadata: isOfMetadata)
        }
      }
    }
  }

  private func boxes(in range: Range<Int>) throws(Untraceable) -> [ISOPlaces.Box] {
    var boxes: [ISOPlaces.Box] = []
    var at = range.lowerBound
    while at < range.upperBound, let box = try ISOPlaces.box(view, at: at, end: range.upperBound) {
      guard boxes.count < 256 else { throw Untraceable() }
      boxes.append(box)
      at = box.whole.upperBound
    }
    return boxes
  }

  private func look(at samples: ISOPlaces.Box, isOfMetadata: Bool) throws(Untraceable) {
    guard samples.content.count >= 8, samples.content.count <= Self.longest else { throw Untraceable() }
    let bytes = try view.bytes(samples.content)
    if Self.sensors.contains(where: { bytes.firstRange(of: $0) != nil }) { throw Untraceable() }
    let entries = try boxes(in: samples.content.lowerBound + 8..<samples.content.upperBound)
    // Metadata with keys (QuickTime), which tell what each sample may say.
    let hasKeys = entries.contains { $0.type == "mebx" }
    if hasKeys || isOfMetadata, Marks.isThere(in: bytes) { throw Untraceable() }
    guard isOfMetadata else { return }
    for entry in entries where entry.type != "mebx" {
      let content = try view.bytes(entry.content)
      guard entry.type == "mett", Self.media.contains(where: { content.firstRange(of: $0) != nil }) else {
        throw Untraceable()
      }
    }
  }
}
