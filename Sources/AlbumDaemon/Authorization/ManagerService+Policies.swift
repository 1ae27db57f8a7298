internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import VarlinkServer

extension ManagerService {
  /// `ListPolicies`.
  func addPolicies(to interface: inout InterfaceImplementation) {
    interface.on(ManagerInterface.ListPolicies.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      let languages = parameters.language.map { [$0] } ?? []
      let keys = apps.records
      return .init(
        policies: center.decisions.policies.policies.map { policy in
          ManagerInterface.Policy(
            policy, languages: languages, appCount: Set(keys.filter(policy.applies).map(\.appID)).count)
        })
    }
  }
}

extension ManagerInterface.Policy {
  init(_ policy: Policy, languages: [String], appCount: Int) {
    let users = policy.users?.names ?? []
    let groups = policy.users?.groups ?? []
    self.init(
      name: policy.name, file: policy.file, effect: policy.effect == .restrict ? .restrict : .authorize,
      apps: policy.apps.map(\.pattern), users: users.isEmpty ? nil : users,
      groups: groups.isEmpty ? nil : groups,
      accessLevels: AccessLevel.allCases.filter(policy.accessLevels.contains).map { .init($0) },
      location: policy.effect == .authorize ? policy.includesLocation : nil,
      reason: policy.reason?.text(for: languages), appCount: appCount)
  }
}
