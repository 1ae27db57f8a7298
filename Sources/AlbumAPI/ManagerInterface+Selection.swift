public import Varlink

extension ManagerInterface {
  /// What becomes of a selection.
  public enum SelectionOperation: String, Codable, Hashable, Sendable, CaseIterable {
    /// These join it.
    case add
    /// These leave it.
    case remove
    /// These take its place.
    case replace
  }

  /// Changes what an app may see when it is limited (S22).
  public enum SetSelection: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.SetSelection"
    /// What is selected.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The app.
      public var appId: String
      /// Whose app.
      public var uid: Int?
      /// Single assets.
      public var assets: [String]
      /// Whole albums (S17).
      public var albums: [String]
      /// What becomes of the selection.
      public var operation: SelectionOperation

      /// Every field by name; absent optionals stay off the wire.
      public init(
        appId: String, uid: Int? = nil, assets: [String], albums: [String], operation: SelectionOperation
      ) {
        self.appId = appId
        self.uid = uid
        self.assets = assets
        self.albums = albums
        self.operation = operation
      }
    }
    /// Whether it is on disk.
    public typealias Reply = Storing
  }

  /// What an app may see when it is limited.
  public enum GetSelection: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.GetSelection"
    /// Whose.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The app.
      public var appId: String
      /// Whose app.
      public var uid: Int?

      /// Every field by name; absent optionals stay off the wire.
      public init(appId: String, uid: Int? = nil) {
        self.appId = appId
        self.uid = uid
      }
    }
    /// What is selected.
    public struct Reply: Codable, Hashable, Sendable {
      /// Single assets.
      public var assets: [String]
      /// Whole albums.
      public var albums: [String]

      /// Every field by name; absent optionals stay off the wire.
      public init(assets: [String], albums: [String]) {
        self.assets = assets
        self.albums = albums
      }
    }
  }
}
