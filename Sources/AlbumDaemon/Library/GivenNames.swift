internal import AlbumAPI
internal import LibraryModel
internal import Varlink

/// What peers call what they add: a text, or the bytes where these are not UTF-8 and a text would lose some.
extension LibraryInterface.AddItem {
  /// What it shall be called.
  ///
  /// - Throws: the parameter, of the item with that index, where it is no percent-encoded name.
  func name(_ index: Int) throws(InvalidParameter) -> FileName {
    guard let name = FileName(filename, percentEncoded: percentEncodedFilename) else {
      throw InvalidParameter(parameter: nameParameter(index))
    }
    return name
  }

  /// Which parameter says what it shall be called.
  func nameParameter(_ index: Int) -> String {
    "items[\(index)].\(percentEncodedFilename == nil ? "filename" : "percentEncodedFilename")"
  }
}

extension LibraryInterface.CreateAlbum.Parameters {
  /// What it shall be called.
  ///
  /// - Throws: the parameter, where it is no percent-encoded name.
  var name: FileName {
    get throws(InvalidParameter) {
      guard let name = FileName(title, percentEncoded: percentEncodedTitle) else {
        throw InvalidParameter(parameter: nameParameter)
      }
      return name
    }
  }

  /// Which parameter says what it shall be called.
  var nameParameter: String { percentEncodedTitle == nil ? "title" : "percentEncodedTitle" }
}

extension FileName {
  /// The bytes where there are any, else the text; nil where those are not percent-encoded.
  fileprivate init?(_ text: String, percentEncoded: String?) {
    guard let percentEncoded else {
      self.init(text)
      return
    }
    guard let bytes = percentEncoded.percentDecoded else { return nil }
    self.init(bytes)
  }
}
