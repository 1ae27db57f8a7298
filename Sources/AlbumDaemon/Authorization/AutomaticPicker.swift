internal import Authorization
internal import EventLoop
internal import VarlinkServer
internal import VarlinkTransport

/// The automatic picker (S21): an app whose manifest asks for it has the limited picker shown to the owner once
/// per life of its process, at its first library access while limited. The access does not wait for it.
@EventLoopActor
final class AutomaticPicker {
  /// What is known of a process that has had its picker.
  private struct Shown {
    let watch: ProcessWatch
    var requester: AuthorizationCenter.Requester?
  }

  private let center: AuthorizationCenter
  private let callers: Callers
  private let visibility: any AssetVisibility
  private var offers = AutomaticPickerOffers()
  private var shown: [ProcessInstance: Shown] = [:]

  init(center: AuthorizationCenter, callers: Callers, visibility: any AssetVisibility) {
    self.visibility = visibility
    self.center = center
    self.callers = callers
  }

  /// A library access.
  func offer(_ call: ServerCall) {
    let session = call.session
    guard !session.wasOfferedPicker, !session.actsAsOwner,
      let app = try? callers.identity(of: call),
      AutomaticPickerOffers.concern(app, status: center.decisions.status(of: app.record(.readWrite)).status)
    else { return }
    session.wasOfferedPicker = true
    let peer = call.connection.peer
    guard let process = ProcessInstance.running(peer.pid), peer.isAlive, offers.begin(process, of: app.uid)
    else {
      return
    }
    guard let watch = ProcessWatch(process, ended: { [weak self] in self?.ended(process) }) else {
      return offers.ended(process)
    }
    shown[process] = Shown(watch: watch)
    // Nobody there to ask: it is not asked again, as the app did not ask.
    let picker = LimitedPicker(
      center: center, app: app, asksItself: false, visibility: visibility,
      identity: { [callers] in callers.identity(of: session) }
    ) { [weak self] _ in
      self?.shown[process]?.requester = nil
    }
    shown[process]?.requester = picker.present()
  }

  private func ended(_ process: ProcessInstance) {
    offers.ended(process)
    guard let requester = shown.removeValue(forKey: process)?.requester else { return }
    center.gone(requester)
  }
}
