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
    guard let status = answer.choice.decided, let decision = center.decisions[key] else {
      return self.answer([])
    }
    guard let after = answer.selection else { return grant(status, decision) }
    // The difference to what the owner was shown: what the app has added meanwhile stays its own (S18).
    let added = after.subtracting(before)
    let removed = before.subtracting(after)
    let changes = [SelectionChange.remove(removed), .add(added)]
    center.changeSelection(of: key, by: added.isEmpty && removed.isEmpty ? [] : changes) { reply in
      finish(reply, added.assets.sorted())
    }
  }

  /// Full access instead, for as long as the limited one was given.
  private func grant(_ status: DecidedStatus, _ decision: Decision) {
    let new = Decision(status, decidedAt: decision.decidedAt, duration: decision.duration)
    guard let record = try? AuthorizationRecord(key, new) else { return answer([]) }
    center.set(record) { finish($0, []) }
  }

  private func finish(_ reply: AuthorizationCenter.Reply, _ added: [String]) {
    if case .failure(let error) = reply { call.fail(error.onTheWire) } else { answer(added) }
  }

  private func answer(_ added: [String]) {
    call.reply(AuthorizationInterface.PresentLimitedPicker.Reply(addedAssets: added))
  }
}
