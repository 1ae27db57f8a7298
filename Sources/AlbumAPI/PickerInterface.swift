public import Varlink

/// `io.albumd.Picker`: photos without access (S23). The definition explains every field.
public enum PickerInterface {
  /// `image`, `video` or `livePhoto`.
  public typealias MediaType = LibraryInterface.MediaType

  /// The most items of one reply: as many descriptors as one message carries (SCM_MAX_FD, unix(7)).
  public static let mostItems = 253

  /// One asset that was picked.
  public struct PickedItem: Codable, Hashable, Sendable {
    /// Its id, where the app may see the asset.
    public var id: String?
    /// The file's name.
    public var filename: String
    /// The name without loss, when it is not UTF-8.
    public var percentEncodedFilename: String?
    /// What kind of asset it is.
    public var mediaType: MediaType
    /// The index of its descriptor.
    public var fileDescriptor: Int?
    /// The index of its paired video's descriptor.
    public var pairedVideoFileDescriptor: Int?
    /// The extension of the paired video's file.
    public var pairedVideoExtension: String?
    /// Whether the app gets it.
    public var accessible: Bool

    /// Every field by name; absent optionals stay off the wire.
    public init(
      id: String? = nil, filename: String, percentEncodedFilename: String? = nil, mediaType: MediaType,
      fileDescriptor: Int? = nil, pairedVideoFileDescriptor: Int? = nil,
      pairedVideoExtension: String? = nil, accessible: Bool
    ) {
      self.id = id
      self.filename = filename
      self.percentEncodedFilename = percentEncodedFilename
      self.mediaType = mediaType
      self.fileDescriptor = fileDescriptor
      self.pairedVideoFileDescriptor = pairedVideoFileDescriptor
      self.pairedVideoExtension = pairedVideoExtension
      self.accessible = accessible
    }
  }

  /// Has the owner pick.
  public enum Pick: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Picker.Pick"
    /// What may be picked.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The kinds; all when nil.
      public var mediaTypes: [MediaType]?
      /// The most items; 0 and nil are ``PickerInterface/mostItems``.
      public var selectionLimit: Int?
      /// Ask for access to what the app does not see.
      public var requestAccess: Bool?
      /// The language of the message.
      public var language: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(
        mediaTypes: [MediaType]? = nil, selectionLimit: Int? = nil, requestAccess: Bool? = nil,
        language: String? = nil
      ) {
        self.mediaTypes = mediaTypes
        self.selectionLimit = selectionLimit
        self.requestAccess = requestAccess
        self.language = language
      }
    }
    /// What was picked.
    public struct Reply: Codable, Hashable, Sendable {
      /// The oldest first; none when the owner did not pick.
      public var items: [PickedItem]
      /// How many of them the app does not get.
      public var inaccessibleCount: Int
      /// What to tell the person about those.
      public var message: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(items: [PickedItem], inaccessibleCount: Int, message: String? = nil) {
        self.items = items
        self.inaccessibleCount = inaccessibleCount
        self.message = message
      }
    }
  }
}
