/// What is different about pictures as the sensor saw them.
enum RawPicture {
  /// Whether a file holds such a picture: a DNG says so, others have pixels in the pattern of a sensor's filters.
  static func isRaw(_ metadata: PictureMetadata) -> Bool {
    if metadata["Exif.Image.DNGVersion"] != nil { return true }
    let places = ["Image", "SubImage1", "SubImage2", "SubImage3", "Image2", "Image3"]
    return places.contains { place in
      // The values are TIFF/EP's: a filter array, and linear data of one.
      metadata["Exif.\(place).PhotometricInterpretation"].map { ["32803", "34892"].contains($0) } ?? false
    }
  }

  /// Where the size of the picture is not that of what is stored: Panasonic stores what is beyond the border too.
  static func size(_ metadata: PictureMetadata) -> (width: Int, height: Int)? {
    func number(_ tag: String) -> Int? { metadata["Exif.PanasonicRaw.Sensor\(tag)"].flatMap { Int($0) } }
    guard let top = number("TopBorder"), let left = number("LeftBorder"), let bottom = number("BottomBorder"),
      let right = number("RightBorder"), bottom > top, right > left
    else { return nil }
    return (right - left, bottom - top)
  }
}
