/// When the limited picker opens by itself (rule S21): once per life of an app's process, and only for an app
/// whose manifest asks for it.
public struct AutomaticPickerOffers: Sendable {
  /// Those that live and have had theirs.
  private var processes: Set<ProcessInstance> = []

  /// Nobody has had one.
  public init() {}

  /// Whether it is for an app at all, as it is now: its manifest asks, and it is limited.
  public static func concern(_ app: PeerIdentity, status: AuthorizationStatus) -> Bool {
    (app.manifest?.automaticLimitedPicker ?? false) && status == .limited
  }

  /// A process of such an app accesses the library.
  ///
  /// - Returns: whether this is the first time in its life.
  public mutating func begin(_ process: ProcessInstance) -> Bool { processes.insert(process).inserted }

  /// A process has ended; another run of the same number is another life.
  public mutating func ended(_ process: ProcessInstance) { processes.remove(process) }
}
