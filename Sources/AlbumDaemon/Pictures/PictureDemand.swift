/// Who wants something of a picture, and how: what decides when it is done, and which process may do it.
struct PictureDemand: Hashable, Sendable {
  /// Against whom it counts.
  enum Client: Hashable, Sendable {
    /// Nobody in particular: what the library needs.
    case daemon
    /// The user to whom the caller belongs.
    case user(UInt32)
  }

  /// Jobs that one process may do. A process that was taken over by one file can answer falsely about every file that it is
  /// handed later, so answers that keep something from an app are not asked of one that has read for others.
  enum Circle: Hashable, Sendable {
    /// What files say and look like.
    case common
    /// Where files say that they were taken, for copies without it.
    case places(Client)
  }

  let urgency: PictureUrgency
  let client: Client
  let circle: Circle

  /// What a file says or looks like.
  static func common(_ urgency: PictureUrgency, for client: Client) -> PictureDemand {
    PictureDemand(urgency: urgency, client: client, circle: .common)
  }

  /// What in a file says where it was taken: somebody waits for it.
  static func places(for client: Client) -> PictureDemand {
    PictureDemand(urgency: .shown, client: client, circle: .places(client))
  }
}
