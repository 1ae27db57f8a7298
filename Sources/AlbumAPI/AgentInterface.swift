public import Varlink

/// `io.albumd.Agent`: prompts to an owner's agent and its answers. The definition explains every field.
public enum AgentInterface {
  /// `addOnly` or `readWrite`.
  public typealias AccessLevel = AuthorizationInterface.AccessLevel

  /// What a prompt is about.
  public enum PromptKind: String, Codable, CaseIterable, Hashable, Sendable {
    /// May the app have access (S7)?
    case authorization
    /// Which assets may a limited app see (S20)?
    case limitedPicker
    /// Which photos does the app get (S23)?
    case picker
    /// May the app see these picked photos later (S23)?
    case photoAccess
    /// May the app delete these (S33)?
    case deletion
    /// May the app overwrite this (S33)?
    case replacement
  }

  /// The four answers (S10, S11).
  public enum Decision: String, Codable, CaseIterable, Hashable, Sendable {
    /// Everything that is asked for.
    case allow
    /// What the answer selects.
    case limited
    /// No.
    case deny
    /// Neither.
    case notNow
  }

  /// How long an answer holds (S10).
  public enum Duration: String, Codable, CaseIterable, Hashable, Sendable {
    /// Until changed.
    case always
    /// Until the app's process ends.
    case untilExit
    /// Until a time.
    case until
  }

  /// The app that asks.
  public struct PromptApp: Codable, Hashable, Sendable {
    /// Its id.
    public var id: String
    /// Its name in the agent's language.
    public var name: String
    /// Its icon.
    public var icon: String?
    /// Whether its identity cannot be forged by its user.
    public var verified: Bool
    /// Who runs it.
    public var user: String

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String, name: String, icon: String? = nil, verified: Bool, user: String) {
      self.id = id
      self.name = name
      self.icon = icon
      self.verified = verified
      self.user = user
    }
  }

  /// One question to the owner.
  public struct Prompt: Codable, Hashable, Sendable {
    /// What to answer with.
    public var id: String
    /// What it is about.
    public var kind: PromptKind
    /// Who asks.
    public var app: PromptApp
    /// The level that is asked for.
    public var accessLevel: AccessLevel?
    /// The app's reason.
    public var usageDescription: String?
    /// What may be answered.
    public var choices: [Decision]
    /// The assets that it is about.
    public var assets: [String]?
    /// What is selected now.
    public var selection: [String]?
    /// The kinds that may be picked.
    public var mediaTypes: [LibraryInterface.MediaType]?
    /// The most that may be picked; 0 is any number.
    public var selectionLimit: Int?

    /// Every field by name; absent optionals stay off the wire.
    public init(
      id: String, kind: PromptKind, app: PromptApp, accessLevel: AccessLevel? = nil,
      usageDescription: String? = nil, choices: [Decision], assets: [String]? = nil,
      selection: [String]? = nil, mediaTypes: [LibraryInterface.MediaType]? = nil, selectionLimit: Int? = nil
    ) {
      self.id = id
      self.kind = kind
      self.app = app
      self.accessLevel = accessLevel
      self.usageDescription = usageDescription
      self.choices = choices
      self.assets = assets
      self.selection = selection
      self.mediaTypes = mediaTypes
      self.selectionLimit = selectionLimit
    }
  }

  /// A prompt that needs no answer any more.
  public struct Withdrawal: Codable, Hashable, Sendable {
    /// The prompt's id.
    public var id: String
    /// Why, in the language that the agent prefers.
    public var reason: String

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String, reason: String) {
      self.id = id
      self.reason = reason
    }
  }

  /// The owner's answer.
  public struct Answer: Codable, Hashable, Sendable {
    /// One of the prompt's choices.
    public var decision: Decision
    /// The selected assets.
    public var assets: [String]?
    /// The selected albums (S17).
    public var albums: [String]?
    /// How long it holds.
    public var duration: Duration?
    /// When it ends, with `until`.
    public var expires: Instant?

    /// Every field by name; absent optionals stay off the wire.
    public init(
      decision: Decision, assets: [String]? = nil, albums: [String]? = nil, duration: Duration? = nil,
      expires: Instant? = nil
    ) {
      self.decision = decision
      self.assets = assets
      self.albums = albums
      self.duration = duration
      self.expires = expires
    }
  }

  /// Becomes an agent (S44, S46).
  public enum Register: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Agent.Register"
    /// Who the agent is.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The agent's name.
      public var name: String
      /// The languages of its person, best first.
      public var languages: [String]?

      /// Every field by name; absent optionals stay off the wire.
      public init(name: String, languages: [String]? = nil) {
        self.name = name
        self.languages = languages
      }
    }
    /// A prompt, a withdrawal, or neither.
    public struct Reply: Codable, Hashable, Sendable {
      /// A question to show.
      public var prompt: Prompt?
      /// A question to take away.
      public var withdrawn: Withdrawal?

      /// Every field by name; absent optionals stay off the wire.
      public init(prompt: Prompt? = nil, withdrawn: Withdrawal? = nil) {
        self.prompt = prompt
        self.withdrawn = withdrawn
      }
    }
  }

  /// Answers a prompt.
  public enum Respond: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Agent.Respond"
    /// Which, and what.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The prompt's id.
      public var prompt: String
      /// The answer.
      public var answer: Answer

      /// Every field by name; absent optionals stay off the wire.
      public init(prompt: String, answer: Answer) {
        self.prompt = prompt
        self.answer = answer
      }
    }
    /// Nothing.
    public typealias Reply = Empty
  }

  /// The caller may not act as an owner (S44).
  public struct NotAnOwner: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Agent.NotAnOwner"

    /// Every field by name; absent optionals stay off the wire.
    public init() {
    }
  }

  /// No such prompt for this agent.
  public struct NoSuchPrompt: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Agent.NoSuchPrompt"
    /// The id.
    public var id: String

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String) {
      self.id = id
    }
  }

  /// The answer does not fit the prompt.
  public struct InvalidAnswer: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Agent.InvalidAnswer"
    /// What does not fit.
    public var reason: String

    /// Every field by name; absent optionals stay off the wire.
    public init(reason: String) {
      self.reason = reason
    }
  }
}
