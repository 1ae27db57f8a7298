/// When the limited picker opens by itself (rule S21): once per life of an app's process, and only for an app
/// whose manifest asks for it.
package struct AutomaticPickerOffers: Sendable {
  /// Processes of one user that are remembered, each of which costs a descriptor. The others of a user who has so
  /// many have to ask for their picker.
  package static let processesPerUser = 64

  /// Those that live and have had theirs, with their users.
  private var processes: [ProcessInstance: UInt32] = [:]

  /// Nobody has had one.
  package init() {}

  /// Whether it is for an app at all, as it is now: its manifest asks, and it is limited.
  package static func concern(_ app: PeerIdentity, status: @autoclosure () -> AuthorizationStatus) -> Bool {
    (app.manifest?.automaticLimitedPicker ?? false) && status() == .limited
  }

  /// A process of such an app accesses the library.
  ///
  /// - Returns: whether this is the first time in its life, and its user has not too many of them.
  package mutating func begin(_ process: ProcessInstance, of uid: UInt32) -> Bool {
    guard processes[process] == nil, processes.values.count(where: { $0 == uid }) < Self.processesPerUser
    else {
      return false
    }
    processes[process] = uid
    return true
  }

  /// A process has ended; another run of the same number is another life.
  package mutating func ended(_ process: ProcessInstance) { processes[process] = nil }
}
