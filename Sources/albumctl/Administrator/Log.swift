internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc

struct Log: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show which app or owner did what, and who decided.",
    discussion: """
      The oldest first. What is repeated within a minute, and came to the same, is one line, with how often and to \
      how many assets in all. With --follow it goes on until Ctrl-C; a line whose count has grown comes again.
      """)

  @OptionGroup var global: GlobalOptions

  @Flag(help: "Go on with what happens from now on.")
  var follow = false

  @Option(help: ArgumentHelp("Only this app.", valueName: "app"))
  var app: String?

  @Option(
    help: ArgumentHelp("Not older than this: 2026-12-31, RFC 3339, or 2h for two hours.", valueName: "time"))
  var since: PastTimeArgument?

  func run() throws {
    let signals = try SignalQueue(follow ? [SIGINT, SIGTERM] : [])
    let stream = try global.connect().accessLog(app: app, since: since?.instant, follow: follow)
    while try !follow || signals.allow(stream) {
      guard let reply = try stream.next() else { return }
      for entry in reply.entries {
        if global.json {
          try Output.json(entry)
        } else {
          try Output.line("\(AccessLogLine(entry, global.words))")
        }
      }
    }
  }
}
