import Authorization
import Testing
import TestSupport

// What becomes of selections, each at random.
extension RequestWorld {
  func aSelection() -> Selection {
    func some() -> Set<String> {
      Set((0..<4).filter { _ in Bool.random(using: &random) }.map { String($0) })
    }
    return Selection(assets: some(), albums: some())
  }

  /// More often than not one that is limited, if there is any.
  func aLimitedApp() -> PeerIdentity {
    let limited = machine.authorizations.decisions.filter { $0.value.status == .limited }.keys.sorted()
    guard Int.random(in: 0..<4, using: &random) > 0, let key = pick(limited) else { return anApp() }
    return app(key.appID, uid: key.uid)
  }

  /// In settings, or by what the app adds itself.
  func select() {
    let key = aLimitedApp().record(.readWrite)
    if Int.random(in: 0..<3, using: &random) == 0 {
      let assets = aSelection().assets
      run(
        machine.extendSelection(of: key, by: assets, for: manager()),
        assets.isEmpty ? .nothing : .select(key, [.add(Selection(assets: assets))]))
      return
    }
    let author = aManager()
    let kinds: [(Selection) -> SelectionChange] = [
      { .add($0) }, { .remove($0) }, { .replace($0) },
    ]
    let changes = (0..<Int.random(in: 0..<3, using: &random)).compactMap { _ in pick(kinds)?(aSelection()) }
    run(
      machine.changeSelection(of: [key], by: changes, author: author, for: manager()),
      model.hasPolicy(key) || changes.isEmpty ? .nothing : .select(key, changes), by: author)
  }

  /// The limited picker is answered; what was selected when it opened may be long ago.
  func pickLimited() {
    let key = aLimitedApp().record(.readWrite)
    let author = AccessEvent.Author(.agent, uid: pick([1000, 1001]))
    let (before, after) = (aSelection(), aSelection())
    let answers: [AuthorizationAnswer] = [
      .init(.limited, selection: after), .init(.limited, selection: after), .init(.allow), .init(.notNow),
    ]
    let answer = pick(answers) ?? .init(.notNow)
    var intended = Intended.nothing
    let isDecided = model.pending.contains { $0.intended.settles(key) }
    if model.status(of: key, at: now) == .limited, !isDecided {
      switch answer.choice {
      case .allow: intended = .decide(key, .authorized)
      case .limited where before != after:
        intended = .select(key, [.remove(before.subtracting(after)), .add(after.subtracting(before))])
      case .limited, .deny, .notNow: break
      }
    }
    run(
      machine.picked(answer, insteadOf: before, for: key, by: author, for: manager(), at: now), intended,
      by: author)
  }

  /// Photos that were picked are allowed as well.
  func join() {
    let some = aLimitedApp()
    let asking = app(
      some.appID, uid: some.uid, usage: Bool.random(using: &random) ? [.readWrite] : [.addOnly])
    let key = asking.record(.readWrite)
    let author = AccessEvent.Author(.agent, uid: pick([1000, 1001]))
    let assets = aSelection().assets
    let joins =
      model.status(of: key, at: now) == .limited && asking.mayBeGranted(.readWrite) && !assets.isEmpty
    run(
      machine.join(assets, to: asking, by: author, for: manager(), at: now),
      joins ? .select(key, [.add(Selection(assets: assets))]) : .nothing, by: author)
  }
}
