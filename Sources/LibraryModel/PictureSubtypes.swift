/// What kind of picture it is, besides a photo or a video (S49).
package struct PictureSubtypes: OptionSet, Hashable, Sendable {
  /// As the index has them.
  package let rawValue: UInt8
  /// Kinds as stored; those of a later version are left out.
  package init(rawValue: UInt8) { self.rawValue = rawValue & 0x3F }

  /// Much wider, or higher, than one look takes in.
  package static let panorama = PictureSubtypes(rawValue: 1)
  /// Of a screen.
  package static let screenshot = PictureSubtypes(rawValue: 2)
  /// Of more light and shade than usual.
  package static let hdr = PictureSubtypes(rawValue: 4)
  /// Several pictures, one after the other.
  package static let animated = PictureSubtypes(rawValue: 8)
  /// What the sensor saw.
  package static let raw = PictureSubtypes(rawValue: 16)
  /// A still with its movie inside.
  package static let motionPhoto = PictureSubtypes(rawValue: 32)

  /// What is told of an asset.
  ///
  /// - Parameter hasRaw: whether it has RAW beside its photo (S99).
  package init(_ description: AssetDescription?, hasRaw: Bool) {
    self = description?.file.subtypes ?? []
    if hasRaw { formUnion(.raw) }
  }
}
