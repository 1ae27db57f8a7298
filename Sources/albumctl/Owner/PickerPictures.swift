internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Glibc
internal import Linux
internal import Varlink

/// The picture of the photo that a picker's cursor is on, where the terminal shows pictures.
///
/// One is fetched at a time, on a connection of its own, and nobody waits for it: the loop of who shows the picker
/// watches the connection. A picture that cannot be had is not there, and nothing is said of it.
final class PickerPictures {
  private let global: GlobalOptions
  private var hasAsked = false
  /// What is being fetched.
  private var fetching: (id: String, step: Step)?
  private var connection: AlbumConnection?
  /// What was fetched last: nil where there is no picture of it.
  private var fetched: (id: String, picture: Pixmap?)?

  private enum Step {
    case becomingOwner(AlbumStream<ManagerInterface.ActAsOwner>)
    case opening(AlbumStream<LibraryInterface.OpenPreview>)
  }

  init(_ global: GlobalOptions) {
    self.global = global
  }

  /// For poll(2): readable when ``take()`` has something to do; -1 where nothing is fetched.
  var descriptor: CInt {
    switch fetching?.step {
    case .becomingOwner(let stream)?: stream.descriptor
    case .opening(let stream)?: stream.descriptor
    case nil: -1
    }
  }

  /// Whether there is something that poll(2) knows nothing of.
  var mayHaveReply: Bool {
    switch fetching?.step {
    case .becomingOwner(let stream)?: stream.mayHaveReply
    case .opening(let stream)?: stream.mayHaveReply
    case nil: false
    }
  }

  /// The screen of a dialog, with the picture if it is here; else it is asked for.
  ///
  /// - Parameter isBusy: whether something is to be read that goes before.
  func frame(
    of dialog: AgentDialog, on terminal: Terminal, columns: Int, rows: Int, isBusy: Bool
  ) -> ScreenFrame {
    // Only who picks is shown any, so that nobody else's terminal is asked.
    if !dialog.isPicking {
      forget()
    } else if !hasAsked {
      hasAsked = true
      terminal.askForGraphics(term: getenv("TERM").map { String(cString: $0) } ?? "")
    }
    guard terminal.graphics.showsPictures else {
      return ScreenFrame(dialog.screen(columns: columns, rows: rows), columns: columns, rows: rows)
    }
    var frame = dialog.frame(columns: columns, rows: rows)
    guard frame.hasRoomForPicture, let id = dialog.picturedPhoto else { return frame }
    if let fetched, fetched.id == id { frame.picture = fetched.picture } else if !isBusy { fetch(id) }
    return frame
  }

  /// The picker is left: what is on its way is for nobody, and a photo may be another when it is opened again.
  func forget() {
    fetching = nil
    fetched = nil
    connection = nil
  }

  private func fetch(_ id: String) {
    guard fetching == nil else { return }
    do throws(AlbumError) {
      if let connection {
        fetching = (id, .opening(try open(id, on: connection)))
      } else {
        let connection = try global.connect()
        self.connection = connection
        fetching = (
          id,
          .becomingOwner(
            try connection.stream(ManagerInterface.ActAsOwner.self, Empty(), wantsMore: false))
        )
      }
    } catch { finish(id, nil) }
  }

  private func open(
    _ id: String, on connection: AlbumConnection
  ) throws(AlbumError) -> AlbumStream<LibraryInterface.OpenPreview> {
    try connection.stream(
      LibraryInterface.OpenPreview.self, .init(id: id, pixels: Pixmap.mostPixels, encoding: .pixmap),
      wantsMore: false)
  }

  /// Takes what came.
  func take() {
    guard let (id, step) = fetching, let connection else { return }
    do throws(AlbumError) {
      switch step {
      case .becomingOwner(let stream):
        _ = try stream.next()
        fetching = (id, .opening(try open(id, on: connection)))
      case .opening(let stream):
        let answer = try stream.nextWithFiles()
        guard let answer, let file = answer.files.take(answer.reply.fileDescriptor) else {
          return finish(id, nil)
        }
        finish(id, Self.read(file))
      }
    } catch {
      // One that failed for another reason than the photo is not used again.
      if error.code != .previewUnavailable, error.code != .noSuchAsset { self.connection = nil }
      finish(id, nil)
    }
  }

  private func finish(_ id: String, _ picture: Pixmap?) {
    fetching = nil
    fetched = (id, picture)
  }

  /// - Returns: nil where it is none.
  private static func read(_ file: consuming OwnedDescriptor) -> Pixmap? {
    var bytes = [UInt8](repeating: 0, count: Pixmap.mostBytes + 1)
    let count = pread(file.number, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Pixmap(ppm: Array(bytes[..<count]))
  }
}
