public import Varlink

extension LibraryInterface {
  /// Adds files (S30–S32).
  public enum AddAssets: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.AddAssets"
    /// What, and where to.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The files.
      public var items: [AddItem]
      /// The album to add to.
      public var album: String?
      /// What it is saved for.
      public var purpose: SavePurpose?
      /// The language of the guide.
      public var language: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(
        items: [AddItem], album: String? = nil, purpose: SavePurpose? = nil, language: String? = nil
      ) {
        self.items = items
        self.album = album
        self.purpose = purpose
        self.language = language
      }
    }
    /// What became of them.
    public struct Reply: Codable, Hashable, Sendable {
      /// The ids of what was added.
      public var ids: [String]
      /// What was not added.
      public var failures: [AddFailure]
      /// How many items are done.
      public var completed: Int
      /// What to show the person, where a purpose was given.
      public var guide: AuthorizationInterface.Guide?

      /// Every field by name; absent optionals stay off the wire.
      public init(
        ids: [String], failures: [AddFailure], completed: Int, guide: AuthorizationInterface.Guide? = nil
      ) {
        self.ids = ids
        self.failures = failures
        self.completed = completed
        self.guide = guide
      }
    }
  }

  /// What pictures are saved for.
  public enum SavePurpose: String, Codable, CaseIterable, Hashable, Sendable {
    /// To be kept.
    case keep
    /// To be set as the wallpaper.
    case wallpaper
  }

  /// A file to add.
  public struct AddItem: Codable, Hashable, Sendable {
    /// The index of its descriptor.
    public var fileDescriptor: Int
    /// The name to give it; it gets an extension of what the file holds if it has none, and a number if it exists.
    public var filename: String
    /// The index of the paired video's descriptor.
    public var pairedVideoFileDescriptor: Int?
    /// The extension to give that: `mov` or `mp4`, in either case.
    public var pairedVideoExtension: String?

    /// Every field by name; absent optionals stay off the wire.
    public init(
      fileDescriptor: Int, filename: String, pairedVideoFileDescriptor: Int? = nil,
      pairedVideoExtension: String? = nil
    ) {
      self.fileDescriptor = fileDescriptor
      self.filename = filename
      self.pairedVideoFileDescriptor = pairedVideoFileDescriptor
      self.pairedVideoExtension = pairedVideoExtension
    }
  }

  /// A file that was not added.
  public struct AddFailure: Codable, Hashable, Sendable {
    /// Its index among the items.
    public var item: Int
    /// The full name of the error.
    public var error: String
    /// What is the matter.
    public var message: String

    /// Every field by name; absent optionals stay off the wire.
    public init(item: Int, error: String, message: String) {
      self.item = item
      self.error = error
      self.message = message
    }
  }
}
