internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import AlbumWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Synchronization
internal import Words

/// What the page answers (S60): which request is whose, and who answers it.
///
/// It is long because the page has so many views, a file of this for each kind, and has no state of its own but the names
/// that it answers to: what they show is asked of the desk and the daemon.
final class Site: Sendable {
  let desk: Desk
  let daemon: Daemon
  let days: DaySource
  let icons = IconSource()
  private let names = Mutex<SiteNames?>(nil)
  /// The most bytes of a form: a selection of 100,000 photos.
  private static let bodyLimit = 4 << 20
  /// How long a form may take to arrive.
  private static let bodyPatience = TimeAmount.seconds(10)

  init(desk: Desk, daemon: Daemon) {
    self.desk = desk
    self.daemon = daemon
    days = DaySource(daemon: daemon)
  }

  /// From now on requests to these names are answered.
  func open(as names: SiteNames) { self.names.withLock { $0 = names } }

  var isSecure: Bool { names.withLock { $0?.isSecure ?? false } }

  /// Answers whatever comes; what goes wrong is an answer as well.
  ///
  /// - Parameter welcome: called when the request has shown a session.
  func respond(to request: Request, welcome: @Sendable () -> Void) async -> Response {
    var response = await answer(request, welcome)
    for (name, value) in PageHeaders.all {
      if let name = HTTPField.Name(name), response.headers[name] == nil { response.headers[name] = value }
    }
    return response
  }

  private func answer(_ request: Request, _ welcome: @Sendable () -> Void) async -> Response {
    guard let names = names.withLock({ $0 }) else { return .plain(.serviceUnavailable) }
    let cookie = request.headers[.cookie].flatMap { PageHeaders.cookie(in: $0, isSecure: names.isSecure) }
    var session: Session?
    if let cookie { session = await desk.session(cookie) }
    if session != nil { welcome() }
    let facts = Gate.Facts(
      method: request.method.rawValue, path: request.uri.path,
      hosts: [request.head.authority].compactMap(\.self) + request.headers.all("host"),
      origin: request.headers[.origin], site: request.headers.all("sec-fetch-site").first)
    let tags = AcceptLanguage.tags(request.headers[.acceptLanguage] ?? "")
    switch Gate(names: names).verdict(on: facts, session: session) {
    case .pass: break
    case .refuse(401, _): return Response.html(View.outside(Words.matching(tags)), status: .unauthorized)
    case .refuse(let status, let reason):
      Log.refusal("Refused \(facts.method) \(facts.path): \(reason)", of: .requests)
      return .plain(.init(code: status))
    }
    guard let session else { return await entry(request, tags) }
    let visit = Visit(session: session, tags: tags, query: FormFields((request.uri.query ?? "").utf8))
    do {
      guard request.method == .post else {
        if facts.path == "/events", request.method == .get { return await events(request, visit) }
        return try await show(facts.path, visit)
      }
      let body: ByteBuffer
      switch await Self.body(of: request) {
      case .whole(let bytes): body = bytes
      case .tooMuch: return .plain(.contentTooLarge)
      case .tooSlow: return .plain(.requestTimeout)
      }
      let form = FormFields(body.readableBytesView)
      guard Gate.isFrom(session, token: request.headers.all("x-albumd-token").first ?? form["token"])
      else {
        Log.refusal("Refused POST \(facts.path): not from the session's page", of: .requests)
        return .plain(.forbidden)
      }
      let wantsText = request.headers[.accept]?.hasPrefix("application/json") ?? false
      return try await change(facts.path, form, visit, wantsText: wantsText)
    } catch {
      return await failure(
        error, visit, isPage: !["/preview", "/api", "/icon"].contains { facts.path.hasPrefix($0) })
    }
  }

  /// What is there without a session.
  private func entry(_ request: Request, _ tags: [String]) async -> Response {
    let path = request.uri.path
    if let file = StaticFile(path) { return file.response }
    guard path == "/enter" else { return .plain(.notFound) }
    let words = Words.matching(tags)
    let fields = FormFields((request.uri.query ?? "").utf8)
    let code = fields["code"] ?? ""
    guard let session = await desk.redeem(code, browser: request.headers[.userAgent] ?? "") else {
      return .html(View.wrongCode(words), status: .forbidden)
    }
    var response = Response.html(View.welcome(words, next: EntryPlace(fields["next"]).path))
    response.headers[.setCookie] = PageHeaders.cookie(of: session, isSecure: isSecure)
    return response
  }

  private enum Body {
    case whole(ByteBuffer)
    case tooMuch
    case tooSlow
  }

  private static func body(of request: Request) async -> Body {
    await withTaskGroup(of: Body.self) { group in
      group.addTask {
        (try? await request.body.collect(upTo: bodyLimit)).map { .whole($0) } ?? .tooMuch
      }
      group.addTask {
        try? await LoopTasks.wait(bodyPatience)
        return .tooSlow
      }
      let first = await group.next() ?? .tooSlow
      group.cancelAll()
      return first
    }
  }

  /// - Parameter isPage: whether a person is shown it.
  private func failure(_ error: any Error, _ visit: Visit, isPage: Bool) async -> Response {
    switch error {
    case let error as AlbumError:
      let text = error.message(in: visit.words)
      let status: HTTPResponse.Status =
        switch error.code {
        case .noSuchApp, .noSuchAsset, .noSuchAlbum, .noSuchPrompt, .noSuchDeletedAsset: .notFound
        case .notRunning, .connectionLost: .serviceUnavailable
        default: .conflict
        }
      return await problem(text, visit, advice: error.advice(in: visit.words), status: status, isPage: isPage)
    case is NotFound:
      return await problem(visit.words[.pageNotFound], visit, status: .notFound, isPage: isPage)
    case is BadForm: return .plain(.badRequest)
    default:
      return await problem(visit.words[.pageBusy], visit, status: .serviceUnavailable, isPage: isPage)
    }
  }

  /// A page that says what is the matter; and what is asked meanwhile, as every page.
  ///
  /// - Parameters:
  ///   - advice: what to do.
  ///   - isPage: whether a person is shown it.
  ///   - place: where it is answered again, if it can be. What is asked is not shown over what is said of that then.
  func problem(
    _ text: String, _ visit: Visit, advice: [String] = [], status: HTTPResponse.Status, isPage: Bool = true,
    answerAt place: String? = nil
  ) async -> Response {
    let prompt = isPage && place == nil ? await asked(visit, next: "/") : nil
    return .html(View.problem(text, advice, visit, prompt: prompt, answerAt: place), status: status)
  }
}

/// Who asks for a page, and how.
struct Visit: Sendable {
  let session: Session
  let words: Words
  /// The languages of the person, best first.
  let tags: [String]
  let query: FormFields

  init(session: Session, tags: [String], query: FormFields) {
    self.session = session
    self.tags = tags
    self.query = query
    words = Words.matching(tags)
  }
}

/// There is no such page.
struct NotFound: Error {}
/// A form that no page of ours has sent.
struct BadForm: Error {}

extension HTTPFields {
  /// All values of a field, by its name in lower case.
  func all(_ name: String) -> [String] { HTTPField.Name(name).map { self[values: $0] } ?? [] }
}

extension Response {
  static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    of(ByteBuffer(string: text), "text/html; charset=utf-8", status)
  }

  static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
    of(ByteBuffer(bytes: bytes), "application/json", status)
  }

  /// A status alone: for what no person sees.
  static func plain(_ status: HTTPResponse.Status) -> Response {
    of(ByteBuffer(string: "\(status.code) \(status.reasonPhrase)\n"), "text/plain; charset=utf-8", status)
  }

  static func of(_ body: ByteBuffer, _ type: String, _ status: HTTPResponse.Status = .ok) -> Response {
    Response(status: status, headers: [.contentType: type], body: .init(byteBuffer: body))
  }

  /// To another page, after something was changed.
  static func see(_ path: String) -> Response { Response(status: .seeOther, headers: [.location: path]) }
}
