public import AlbumAPI
internal import Varlink

// What needs an owner who picks.
extension AlbumConnection {
  /// Has the owner pick photos, and waits until they have (S23). Needs no authorization.
  ///
  /// - Returns: what was picked, in as many replies as that needs: each with the open files that its items name by
  ///   index. Whoever takes one after the other has no more open files than 253 at a time.
  public func pick(
    _ wish: PickerInterface.Pick.Parameters = .init()
  ) throws(AlbumError) -> AlbumStream<PickerInterface.Pick> {
    try stream(PickerInterface.Pick.self, wish)
  }

  /// Has the owner change what this limited app may see, and waits until they have (S20).
  ///
  /// - Returns: the assets that are newly selected, none in any other status; and whether it was put off.
  public func presentLimitedPicker() throws(AlbumError) -> AuthorizationInterface.PresentLimitedPicker.Reply {
    try call(AuthorizationInterface.PresentLimitedPicker.self, Empty()).reply
  }
}
