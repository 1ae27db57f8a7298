public import Varlink

extension ManagerInterface {
  /// Counters of the daemon.
  public enum GetStatistics: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.GetStatistics"
    /// No parameters.
    public typealias Parameters = Empty
    /// What the daemon counts: what there is now, and what happened since it started.
    public struct Reply: Codable, Hashable, Sendable {
      /// When the daemon started.
      public var started: Instant
      /// Open connections.
      public var connections: Int
      /// Subscriptions to changes.
      public var subscriptions: Int
      /// Registered agents.
      public var agents: Int
      /// Prompts that wait for an answer.
      public var promptsWaiting: Int
      /// Assets of the library.
      public var assets: Int
      /// Albums of the library.
      public var albums: Int
      /// The oldest change in the journal, by its number; absent while there is none.
      public var journalFirst: Int?
      /// The newest change.
      public var journalLast: Int
      /// Watched directories.
      public var watches: Int
      /// Directories that are compared now and then instead, for lack of watches.
      public var polledDirectories: Int
      /// Resident memory in bytes.
      public var memoryBytes: Int
      /// Calls served since the start.
      public var calls: Int
      /// Connections taken since the start.
      public var connectionsAccepted: Int
      /// Connections refused since the start.
      public var connectionsRefused: Int
      /// Peers that broke the protocol since the start.
      public var protocolViolations: Int
      /// File events since the start.
      public var fileEvents: Int
      /// Overflows of the kernel's queue since the start.
      public var queueOverflows: Int
      /// Scans of the whole library since the start.
      public var scans: Int
      /// Changes published since the start.
      public var changes: Int
      /// Rows of the access log that could not be written since the start.
      public var accessLogLost: Int

      /// Every field by name.
      public init(
        started: Instant, connections: Int, subscriptions: Int, agents: Int, promptsWaiting: Int, assets: Int,
        albums: Int, journalFirst: Int? = nil, journalLast: Int, watches: Int, polledDirectories: Int,
        memoryBytes: Int, calls: Int, connectionsAccepted: Int, connectionsRefused: Int,
        protocolViolations: Int, fileEvents: Int, queueOverflows: Int, scans: Int, changes: Int,
        accessLogLost: Int
      ) {
        self.started = started
        self.connections = connections
        self.subscriptions = subscriptions
        self.agents = agents
        self.promptsWaiting = promptsWaiting
        self.assets = assets
        self.albums = albums
        self.journalFirst = journalFirst
        self.journalLast = journalLast
        self.watches = watches
        self.polledDirectories = polledDirectories
        self.memoryBytes = memoryBytes
        self.calls = calls
        self.connectionsAccepted = connectionsAccepted
        self.connectionsRefused = connectionsRefused
        self.protocolViolations = protocolViolations
        self.fileEvents = fileEvents
        self.queueOverflows = queueOverflows
        self.scans = scans
        self.changes = changes
        self.accessLogLost = accessLogLost
      }
    }
  }

  /// How bad a finding is.
  public enum Severity: String, Codable, CaseIterable, Hashable, Sendable {
    /// As it should be.
    case ok
    /// Works, and should be looked at.
    case warning
    /// Does not work.
    case error
  }

  /// One thing that was looked at.
  public struct Finding: Codable, Hashable, Sendable {
    /// How bad it is.
    public var severity: Severity
    /// What it is about: a file, a directory, a part of the daemon.
    public var subject: String
    /// What was found.
    public var message: String
    /// What to do about it.
    public var advice: String?

    /// Every field by name; absent optionals stay off the wire.
    public init(severity: Severity, subject: String, message: String, advice: String? = nil) {
      self.severity = severity
      self.subject = subject
      self.message = message
      self.advice = advice
    }
  }

  /// Looks for what is wrong with the daemon and its surroundings.
  public enum Check: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.Check"
    /// In which language.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The language of messages and advice; English when left out.
      public var language: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(language: String? = nil) {
        self.language = language
      }
    }
    /// Everything that was looked at.
    public struct Reply: Codable, Hashable, Sendable {
      /// The findings.
      public var findings: [Finding]

      /// Every field by name; absent optionals stay off the wire.
      public init(findings: [Finding]) {
        self.findings = findings
      }
    }
  }
}
