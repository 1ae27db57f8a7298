internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import VarlinkServer

/// `Authorization.PresentLimitedPicker` (S20): the owner changes what a limited app may see.
@EventLoopActor
struct LimitedPicker {
  private let center: AuthorizationCenter
  private let app: PeerIdentity
  private let call: ServerCall

  init(center: AuthorizationCenter, app: PeerIdentity, call: ServerCall) {
    self.center = center
    self.app = app
    self.call = call
  }

  private var key: RecordKey { app.record(.readWrite) }

  /// Shows the picker and answers the call. In any other status than limited it does nothing.
  func present() {
    guard center.status(of: key).status == .limited else { return answer([]) }
    let before = center.selection(of: key)
    let requester = center.ask(.limitedPicker(before), app: app) { reply in
      switch reply {
      case .answer(let answer): take(answer, before)
      case .failure(let error): call.fail(error.onTheWire)
      case .status, .stored: answer([])
      }
    }
    call.onEnd { [weak center] in center?.gone(requester) }
  }

  private func take(_ answer: AuthorizationAnswer, _ before: Selection) {
    // The grant may have ended while the picker was open: then there is nothing to select for.
    guard let status = answer.choice.decided, let decision = center.decisions[key],
      let record = try? AuthorizationRecord(
        key, Decision(status, decidedAt: decision.decidedAt, duration: decision.duration))
    else { return self.answer([]) }
    let added = answer.selection.map { $0.assets.subtracting(before.assets).sorted() } ?? []
    center.set(record, selection: answer.selection, by: .init(.agent)) { reply in
      if case .failure(let error) = reply { call.fail(error.onTheWire) } else { self.answer(added) }
    }
  }

  private func answer(_ added: [String]) {
    call.reply(AuthorizationInterface.PresentLimitedPicker.Reply(addedAssets: added))
  }
}
