internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Glibc
internal import Linux
internal import Varlink

/// The pictures of what a dialog is about, where the terminal shows pictures.
///
/// One is fetched at a time, on a connection of its own, and nobody waits for it: the loop of who shows the dialog
/// watches the connection. A picture that cannot be had is not there, and nothing is said of it.
final class AgentPictures {
  private let global: GlobalOptions
  private var hasAsked = false
  /// What is being fetched.
  private var fetching: (what: PromptPicture, step: Step)?
  private var connection: AlbumConnection?
  /// What was fetched of what is shown: nil where there is no picture of it.
  private var fetched: [PromptPicture: Pixmap?] = [:]
  /// Those that were put together last, and how.
  private var sheet: (of: [PromptPicture], picture: Pixmap?)?

  private enum Step {
    case becomingOwner(AlbumStream<ManagerInterface.ActAsOwner>)
    case opening(AlbumStream<LibraryInterface.OpenPreview>)
    case openingReplacement(AlbumStream<AgentInterface.OpenReplacement>)
  }

  init(_ global: GlobalOptions) {
    self.global = global
  }

  /// For poll(2): readable when ``take()`` has something to do; -1 where nothing is fetched.
  var descriptor: CInt {
    switch fetching?.step {
    case .becomingOwner(let stream)?: stream.descriptor
    case .opening(let stream)?: stream.descriptor
    case .openingReplacement(let stream)?: stream.descriptor
    case nil: -1
    }
  }

  /// Whether there is something that poll(2) knows nothing of.
  var mayHaveReply: Bool {
    switch fetching?.step {
    case .becomingOwner(let stream)?: stream.mayHaveReply
    case .opening(let stream)?: stream.mayHaveReply
    case .openingReplacement(let stream)?: stream.mayHaveReply
    case nil: false
    }
  }

  /// The screen of a dialog, with its pictures once all of them are here; else they are asked for.
  ///
  /// - Parameter isBusy: whether something is to be read that goes before.
  func frame(
    of dialog: AgentDialog, on terminal: Terminal, columns: Int, rows: Int, isBusy: Bool
  ) -> ScreenFrame {
    // Where there are none to show the terminal is not asked.
    let wanted = dialog.pictured
    if wanted.isEmpty, !dialog.isPicking {
      forget()
    } else if !hasAsked {
      hasAsked = true
      terminal.askForGraphics(term: getenv("TERM").map { String(cString: $0) } ?? "")
    }
    guard terminal.graphics.showsPictures else {
      return ScreenFrame(dialog.screen(columns: columns, rows: rows), columns: columns, rows: rows)
    }
    var frame = dialog.frame(columns: columns, rows: rows)
    guard frame.hasRoomForPicture, !wanted.isEmpty else { return frame }
    fetched = fetched.filter { wanted.contains($0.key) }
    // One that cannot be asked for is done with at once.
    while fetching == nil, !isBusy, let next = wanted.first(where: { fetched.index(forKey: $0) == nil }) {
      fetch(next)
    }
    if wanted.allSatisfy({ fetched.index(forKey: $0) != nil }) { frame.picture = together(wanted) }
    return frame
  }

  private func together(_ wanted: [PromptPicture]) -> Pixmap? {
    if let sheet, sheet.of == wanted { return sheet.picture }
    let picture = Pixmap.sheet(wanted.map { fetched[$0] ?? nil })
    sheet = (wanted, picture)
    return picture
  }

  /// The dialog is left: what is on its way is for nobody, and a photo may be another when it is opened again.
  func forget() {
    fetching = nil
    fetched = [:]
    sheet = nil
    connection = nil
  }

  private func fetch(_ what: PromptPicture) {
    guard fetching == nil else { return }
    do throws(AlbumError) {
      if let connection {
        fetching = (what, try open(what, on: connection))
      } else {
        let connection = try global.connect()
        self.connection = connection
        fetching = (
          what,
          .becomingOwner(
            try connection.stream(ManagerInterface.ActAsOwner.self, Empty(), wantsMore: false))
        )
      }
    } catch { finish(what, nil) }
  }

  private func open(_ what: PromptPicture, on connection: AlbumConnection) throws(AlbumError) -> Step {
    switch what {
    case .asset(let id):
      .opening(
        try connection.stream(
          LibraryInterface.OpenPreview.self, .init(id: id, pixels: Pixmap.mostPixels, encoding: .pixmap),
          wantsMore: false))
    case .replacement(let prompt):
      .openingReplacement(
        try connection.stream(
          AgentInterface.OpenReplacement.self,
          .init(prompt: prompt, pixels: Pixmap.mostPixels, encoding: .pixmap), wantsMore: false))
    }
  }

  /// Takes what came.
  func take() {
    guard let (what, step) = fetching, let connection else { return }
    do throws(AlbumError) {
      switch step {
      case .becomingOwner(let stream):
        _ = try stream.next()
        fetching = (what, try open(what, on: connection))
      case .opening(let stream):
        let answer = try stream.nextWithFiles()
        finish(what, Self.read(answer?.reply.fileDescriptor, of: answer?.files))
      case .openingReplacement(let stream):
        let answer = try stream.nextWithFiles()
        finish(what, Self.read(answer?.reply.fileDescriptor, of: answer?.files))
      }
    } catch {
      // One that failed for another reason than the photo is not used again.
      if ![.previewUnavailable, .noSuchAsset, .noSuchPrompt].contains(error.code) { self.connection = nil }
      finish(what, nil)
    }
  }

  private func finish(_ what: PromptPicture, _ picture: Pixmap?) {
    fetching = nil
    fetched.updateValue(picture, forKey: what)
  }

  /// - Returns: nil where it is none.
  private static func read(_ number: Int?, of files: DescriptorBatch?) -> Pixmap? {
    guard let number, let file = files?.take(number) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Pixmap.mostBytes + 1)
    let count = pread(file.number, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Pixmap(ppm: Array(bytes[..<count]))
  }
}
