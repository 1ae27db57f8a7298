public import AlbumAPI
public import Linux
internal import Varlink

// What needs an owner who picks.
extension AlbumConnection {
  /// Has the owner pick photos, and waits until they have (S23). Needs no authorization.
  ///
  /// - Returns: what was picked, and the open files that its items name by index.
  public func pick(
    _ wish: PickerInterface.Pick.Parameters = .init()
  ) throws(AlbumError) -> (reply: PickerInterface.Pick.Reply, files: DescriptorBatch) {
    let (reply, files) = try call(PickerInterface.Pick.self, wish)
    return (reply, files)
  }

  /// Has the owner change what this limited app may see, and waits until they have (S20).
  ///
  /// - Returns: the assets that are newly selected, none in any other status; and whether it was put off.
  public func presentLimitedPicker() throws(AlbumError) -> AuthorizationInterface.PresentLimitedPicker.Reply {
    try call(AuthorizationInterface.PresentLimitedPicker.self, Empty()).reply
  }
}
