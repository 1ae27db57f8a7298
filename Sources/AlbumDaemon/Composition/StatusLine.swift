internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import VarlinkServer
internal import Words

/// One line for `systemctl status`.
@EventLoopActor
struct StatusLine {
  let library: LibraryMonitor
  let store: any LibraryReading
  let server: VarlinkServer

  var text: String {
    let state = library.state
    let problem = state.problems.first.map { ": \(Words.english.sentence($0))" } ?? ""
    let (assets, connections) = (store.files.assetCount, server.connectionCount)
    return "\(state.summary.rawValue), \(assets) \(assets == 1 ? "asset" : "assets"), "
      + "\(connections) \(connections == 1 ? "connection" : "connections")\(problem)"
  }
}
