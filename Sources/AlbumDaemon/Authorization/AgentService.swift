internal import AlbumAPI
internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import LibraryModel
internal import Linux
internal import Logging
internal import Storage
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport
internal import Words

/// `io.albumd.Agent`: agents register, are shown prompts, and answer.
@EventLoopActor
final class AgentService {
  private let center: AuthorizationCenter
  private let callers: Callers
  private let accessLog: AccessLog
  /// Who registers: an owner's program may do so in a loop.
  private let registrations: ThrottledLog
  private let library: SelectableLibrary
  private let names: UserNames
  private let configuration: ConfigurationInForce
  private let previews: OwnerPreviews
  /// Where long prompts are written.
  private let codec: SharedThread

  init(
    center: AuthorizationCenter, callers: Callers, library: SelectableLibrary, accessLog: AccessLog,
    names: UserNames, configuration: ConfigurationInForce, previews: OwnerPreviews,
    registrations: ThrottledLog, codec: SharedThread
  ) {
    self.codec = codec
    self.previews = previews
    self.names = names
    self.configuration = configuration
    self.center = center
    self.callers = callers
    self.library = library
    self.accessLog = accessLog
    self.registrations = registrations
  }

  func implementation() -> InterfaceImplementation {
    var interface = InterfaceImplementation(definition: AgentInterface.definition)
    interface.handle(AgentInterface.Register.self) { [unowned self] parameters, call in
      try register(parameters, call)
    }
    interface.handle(AgentInterface.Respond.self) { [unowned self] parameters, call in
      try respond(parameters, call)
    }
    interface.handle(AgentInterface.OpenReplacement.self) { [unowned self] parameters, call in
      call.goOn { [self] in try await openReplacement(parameters, call) }
    }
    return interface
  }

  /// What would take a photo's place (S33), small.
  private func openReplacement(
    _ parameters: AgentInterface.OpenReplacement.Parameters, _ call: ServerCall
  ) async throws {
    let file = try proposedFile(parameters.prompt, call)
    let isPixmap = parameters.encoding == .pixmap
    guard OwnerPreviews.allows(parameters.pixels, isPixmap: isPixmap) else {
      throw InvalidParameter(parameter: "pixels")
    }
    let (preview, memory) = try await previews.openPassing(
      parameters.prompt, pixels: parameters.pixels, isPixmap: isPixmap, for: call.connection.peer.uid
    ) { () throws(PictureFailure) in try await file.forShowing()
    }
    // It took its time: by now it may be answered, or the caller be no owner any more (S29).
    _ = try proposedFile(parameters.prompt, call)
    call.reply(
      AgentInterface.OpenReplacement.Reply(
        fileDescriptor: 0, mediaType: preview.encoding.mediaType, pixelWidth: preview.width,
        pixelHeight: preview.height),
      descriptors: memory)
  }

  private func proposedFile(_ prompt: String, _ call: ServerCall) throws -> ProposedFile {
    guard try callers.mayActAsOwner(call) else { throw AgentInterface.NotAnOwner() }
    guard case .replacement(_, let file?)? = center.decisions.question(of: PromptID(prompt)) else {
      throw AgentInterface.NoSuchPrompt(id: prompt)
    }
    return file
  }

  private func register(_ parameters: AgentInterface.Register.Parameters, _ call: ServerCall) throws {
    guard try callers.mayActAsOwner(call) else { throw AgentInterface.NotAnOwner() }
    let uid = call.connection.peer.uid
    let languages = parameters.languages ?? []
    // The empty reply comes before any prompt: whoever has it knows that the agent is registered.
    call.reply(AgentInterface.Register.Reply(), continues: true)
    // The prompt that is to be shown when its user's name is known: an agent is shown one at a time (S9).
    var next: PromptID?
    let handle = center.register(
      uid: uid, mayActAsOwner: { [callers] in (try? callers.mayActAsOwner(call)) ?? false }
    ) { [names, configuration, codec, callers] message in
      switch message {
      case .show(let prompt):
        next = prompt.id
        names.look(up: [prompt.app.uid]) { names in
          guard next == prompt.id, (try? callers.mayActAsOwner(call)) ?? false else { return }
          let shown = AgentInterface.Prompt(prompt, user: names[prompt.app.uid], languages: languages)
          guard let selected = prompt.longSelection else {
            next = nil
            return call.reply(AgentInterface.Register.Reply(prompt: shown), continues: true)
          }
          Task.onLoopNow {
            do {
              let text = try await codec.run(for: call.accountableUser) {
                try shown.encoded(withSelected: selected)
              }
              // It took its time: by now it may be withdrawn, or its agent be no owner's any more (S29).
              guard next == prompt.id, try callers.mayActAsOwner(call) else { return }
              next = nil
              call.send(text, continues: true)
            } catch { call.fail(error) }
          }
        }
      case .withdraw(let id, let reason):
        // It was never shown.
        if next == id { return next = nil }
        let sentence = configuration.current.translations.words(for: languages)[reason.phrase]
        call.reply(
          AgentInterface.Register.Reply(withdrawn: .init(id: id.value, reason: sentence)), continues: true)
      case .dismiss: call.fail(AgentInterface.NotAnOwner())
      }
    }
    accessLog.note(AccessEvent(.agent), app: try callers.identity(of: call))
    registrations.note(
      "\(names.label(uid)) has registered an agent: \(Quoted(parameters.name))", uid: uid)
    call.onEnd { [weak self] in self?.center.gone(handle) }
  }

  private func respond(_ parameters: AgentInterface.Respond.Parameters, _ call: ServerCall) throws {
    guard try callers.mayActAsOwner(call) else { throw AgentInterface.NotAnOwner() }
    let answer: AuthorizationAnswer
    do throws(InvalidAnswer) { answer = try AuthorizationAnswer(parameters.answer) } catch {
      throw AgentInterface.InvalidAnswer(reason: error.reason)
    }
    let prompt = PromptID(parameters.prompt)
    guard let selection = answer.selection else { return take(answer, to: prompt, call) }
    call.goOn { [self] in
      let question = center.decisions.question(of: prompt)
      if let problem = try await library.problem(with: selection, for: question, call) {
        throw AgentInterface.InvalidAnswer(reason: problem)
      }
      // It took its time: by now the caller may be no owner any more (S29). Whether the prompt is still there, and not
      // answered, is looked at when the answer is taken.
      guard try callers.mayActAsOwner(call) else { throw AgentInterface.NotAnOwner() }
      take(answer, to: prompt, call)
    }
  }

  private func take(_ answer: AuthorizationAnswer, to prompt: PromptID, _ call: ServerCall) {
    center.answer(answer, to: prompt, from: call.connection.peer.uid) { reply in
      switch reply {
      case .accepted: call.reply(AgentInterface.Respond.Reply())
      case .acceptedUnsaved(let reason):
        call.reply(AgentInterface.Respond.Reply(stored: false, reason: reason))
      case .noSuchPrompt: call.fail(AgentInterface.NoSuchPrompt(id: prompt.value))
      case .invalid(let invalid): call.fail(AgentInterface.InvalidAnswer(reason: invalid.reason))
      case .notStored(let reason): call.fail(SystemFailure(message: reason))
      }
    }
  }
}

extension AgentInterface.Prompt {
  /// A prompt as an agent is shown it (S14).
  init(_ prompt: Prompt<OwnerQuestion>, user: String?, languages: [String]) {
    let app = prompt.app
    let shown = AgentInterface.PromptApp(
      id: app.appID, name: app.name(for: languages), icon: app.manifest?.icon, verified: app.isVerified,
      user: user ?? "\(app.uid)", evidence: app.evidence.told)
    switch prompt.subject {
    case .authorization(let level, let usage):
      self.init(
        id: prompt.id.value, kind: .authorization, app: shown, accessLevel: .init(level),
        usageDescription: usage.text(for: languages),
        locationUsageDescription: level == .readWrite
          ? app.manifest?.locationUsage?.text(for: languages) : nil,
        choices: PromptChoice.offered(for: level).map(AgentInterface.Decision.init))
    case .question(let question):
      self.init(
        id: prompt.id.value, kind: question.kind, app: shown,
        choices: question.choices.map(AgentInterface.Decision.init))
      switch question {
      case .limitedPicker(let selected):
        accessLevel = .readWrite
        usageDescription = app.manifest?.usage[.readWrite]?.text(for: languages)
        selection = selected.isLong ? nil : selected.inOrder
      case .picker(let wish):
        locationUsageDescription = app.manifest?.locationUsage?.text(for: languages)
        mediaTypes = wish.mediaTypes.map { types in
          MediaType.allCases.filter(types.contains).map { .init($0) }
        }
        selectionLimit = wish.limit
        filter = wish.toldFilter
        minimum = wish.minimum > 0 ? wish.minimum : nil
        selection = wish.preselected.isEmpty ? nil : wish.preselected
      case .photoAccess(let ids), .deletion(let ids): assets = ids
      case .replacement(let id, _), .reversion(let id): assets = [id]
      }
    }
  }
}

extension Prompt<OwnerQuestion> {
  /// What is selected when it is asked about, where that is so much that it is neither sorted nor written on the loop.
  fileprivate var longSelection: Selection? {
    guard case .question(.limitedPicker(let selection)) = subject, selection.isLong else { return nil }
    return selection
  }
}

extension Selection {
  /// More are not sorted on the loop: that takes a tenth of a second for a hundred thousand.
  private static let mostSortedHere = 1000

  fileprivate var isLong: Bool { assets.count + albums.count > Self.mostSortedHere }

  /// As a prompt names it.
  fileprivate var inOrder: [String] { assets.sorted() + albums.sorted() }
}

extension AgentInterface.Prompt {
  /// The whole reply, its NUL included, with what is selected in it.
  fileprivate func encoded(withSelected selected: Selection) throws -> [UInt8] {
    var prompt = self
    prompt.selection = selected.inOrder
    return try Reply.encoded(AgentInterface.Register.Reply(prompt: prompt), continues: true)
  }
}

extension OwnerQuestion {
  fileprivate var kind: AgentInterface.PromptKind {
    switch self {
    case .limitedPicker: .limitedPicker
    case .picker: .picker
    case .photoAccess: .photoAccess
    case .deletion: .deletion
    case .replacement: .replacement
    case .reversion: .reversion
    }
  }
}

extension AuthorizationAnswer {
  /// An answer as it came over the wire; whether it fits its prompt is the model's to say.
  init(_ answer: AgentInterface.Answer) throws(InvalidAnswer) {
    let duration: Duration?
    switch (answer.duration, answer.expires) {
    case (nil, nil): duration = nil
    case (.always?, nil): duration = .always
    case (.untilExit?, nil): duration = .untilExit
    case (.until?, let end?), (nil, let end?): duration = .until(Timestamp(end))
    case (.until?, nil): throw InvalidAnswer(reason: "the duration until needs expires")
    case (.always?, _?), (.untilExit?, _?): throw InvalidAnswer(reason: "expires goes with until only")
    }
    let selects = answer.assets != nil || answer.albums != nil
    guard let assets = IDTexts(answer.assets ?? []), let albums = IDTexts(answer.albums ?? []) else {
      throw InvalidAnswer(reason: "what is selected is named by its id")
    }
    let selection = Selection(assets: assets.set, albums: albums.set)
    var rest = selection.assets
    self.init(
      PromptChoice(answer.decision), duration: duration, selection: selects ? selection : nil,
      order: (answer.assets ?? []).filter { rest.remove($0) != nil },
      includesLocation: answer.location ?? false)
  }
}

extension WithdrawalReason {
  fileprivate var phrase: Phrase {
    switch self {
    case .requesterGone: .goneRequester
    case .decidedElsewhere: .goneDecided
    case .restated: .goneRestated
    case .ownFirst: .goneOwnFirst
    case .notAnOwner: .goneNotAnOwner
    }
  }
}
