internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Linux
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport

extension ManagerService {
  /// Changes what an app may see when it is limited (S22).
  func setSelection(_ parameters: ManagerInterface.SetSelection.Parameters, _ call: ServerCall) throws {
    guard let assets = IDTexts(parameters.assets) else { throw InvalidParameter(parameter: "assets") }
    guard let albums = IDTexts(parameters.albums) else { throw InvalidParameter(parameter: "albums") }
    let selection = Selection(assets: assets.set, albums: albums.set)
    let change: SelectionChange
    switch parameters.operation {
    case .add: change = .add(selection)
    case .replace: change = .replace(selection)
    // What has left the library can still be taken out.
    case .remove: change = .remove(selection)
    }
    call.goOn { [self] in
      if parameters.operation != .remove {
        guard try await library.problem(with: Selection(assets: selection.assets), for: nil, call) == nil
        else {
          throw InvalidParameter(parameter: "assets")
        }
        guard try await library.problem(with: Selection(albums: selection.albums), for: nil, call) == nil
        else {
          throw InvalidParameter(parameter: "albums")
        }
        // It took its time: by now the caller may be no owner any more (S29).
        try callers.checkOwner(call)
      }
      let keys = try users(of: parameters.appId, parameters.uid, call).map { uid in
        RecordKey(uid: uid, appID: parameters.appId, accessLevel: .readWrite)
      }
      center.changeSelection(of: keys, by: [change], author: settings(call)) { reply in
        Self.answer(call, reply) { ManagerInterface.Storing(stored: $0.map { _ in false }, reason: $0) }
      }
    }
  }

  /// What an app may see when it is limited.
  func selection(_ parameters: ManagerInterface.GetSelection.Parameters, _ call: ServerCall) throws {
    let selections = try users(of: parameters.appId, parameters.uid, call).map { uid in
      center.decisions.selection(of: RecordKey(uid: uid, appID: parameters.appId, accessLevel: .readWrite))
    }
    let count = selections.reduce(0) { $0 + $1.assets.count + $1.albums.count }
    guard count > LibraryService.readAtOnce else { return call.reply(Self.reply(selections)) }
    call.goOn { [self] in
      let text = try await codec.run(for: call.accountableUser) {
        try Reply.encoded(Self.reply(selections))
      }
      try Task.checkCancellation()
      // It took its time: by now the caller may be no owner any more (S29).
      try callers.checkOwner(call)
      _ = try users(of: parameters.appId, parameters.uid, call)
      call.send(text, continues: false)
    }
  }

  private nonisolated static func reply(_ selections: [Selection]) -> ManagerInterface.GetSelection.Reply {
    var all = Selection()
    for selection in selections { all.apply(.add(selection)) }
    return .init(assets: all.assets.sorted(), albums: all.albums.sorted())
  }
}
