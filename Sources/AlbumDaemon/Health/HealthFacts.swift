internal import Authorization
internal import DaemonConfiguration
internal import LibraryIO

/// What `Check` looks at, as plain values: gathering them is IO (``HealthInspector``), judging them is not.
struct HealthFacts: Sendable {
  /// A directory that the daemon needs.
  struct Directory: Hashable, Sendable {
    var path: String
    /// Why it is not there, if it is not.
    var problem: RootAbsence?
    var isWritable = true
    /// Permission bits.
    var mode: UInt32 = 0o700
    /// Bytes that this user may still write; nil when unknown.
    var freeBytes: Int64?
    /// What is in it and cannot be read.
    var unreadable = UnreadablePhotos()
    /// Who but the daemon and root may look into it, as far as its owner, its group and its mode tell.
    var readers: [Reader] = []
    /// Albums that the configuration marks as shared, and that are not there.
    var missingShared: [String] = []
  }

  /// Somebody who may look into a directory.
  enum Reader: Hashable, Sendable {
    case everybody
    case members(group: String)
    case user(UInt32)
  }

  /// A program that a manifest binds.
  struct Program: Hashable, Sendable {
    var manifest: String
    var path: String
    var exists: Bool
    /// Whether only root can replace it.
    var isTrustworthy: Bool
  }

  // The configuration as it is on the disk.
  var configurationFile = ""
  var configurationErrors: [ConfigurationError] = []
  var owners = OwnerRules()
  var manifests: [AppManifest] = []
  var programs: [Program] = []
  /// Policies, and how many known apps each is about.
  var policies: [(policy: Policy, appCount: Int)] = []
  var translations: [Translation] = []

  // The library.
  var roots: [Directory] = []
  /// Albums that the configuration in force marks as shared, by their root's path.
  var shared: [String: [String]] = [:]
  var state = Directory(path: "")
  var libraryProblems: [LibraryProblem] = []
  var watches = 0
  var polledDirectories = 0
  /// `fs.inotify.max_user_watches`; nil when it cannot be read.
  var watchLimit: Int?
  /// `fs.inotify.max_user_instances`.
  var instanceLimit: Int?

  // The daemon.
  var now = Timestamp(microseconds: 0)
  /// The newest time that the registry holds.
  var newestDecision: Timestamp?
  var agents = 0
  var uid: UInt32 = 0
  /// Whether it has CAP_SYS_PTRACE in effect.
  var mayReadPeers = true
  var accessLogLost = 0
  /// Photos and videos that the index has, and that cannot be read for what they say of themselves.
  var undescribable = 0
  /// What reads pictures, why it could not be started the last time, and whether its sandbox had Landlock; nil where none
  /// was started yet.
  var pictures: (program: PictureProgram, problem: String?, hasLandlock: Bool?)?
  /// Whether that program is not where it should be.
  var picturesMissing = false
  /// Databases that were damaged and are kept beside the ones that took their place.
  var setAside: [String] = []
  /// When the registry was last written, and backed up, in seconds since 1970; nil where that cannot be found out.
  var registryWritten: Int64?
  var registryBackedUp: Int64?
}
