internal import Authorization
internal import EventLoop

// What ends by itself: with its process, its time, or for want of use.
extension AuthorizationCenter {
  func watch(_ process: ProcessInstance) {
    guard watches[process] == nil else { return }
    let watch = ProcessWatch(process) { [unowned self] in exited(process) }
    watches[process] = watch
    if watch == nil { exited(process) }
  }

  private func exited(_ process: ProcessInstance) {
    watches[process] = nil
    perform(decisions.machine.processExited(process))
  }

  /// Who has subscribed long ago uses what it was granted with every change; and what is beneath a policy is not to
  /// end with that. Also at the end of the daemon: the next may find other policies.
  func noteUses() { perform(decisions.machine.used(apps.inUse, at: now)) }

  func expireDecisions() { perform(decisions.machine.expire(at: now, inUse: apps.inUse)) }

  func armTimers() {
    // A daemon that is killed notes nothing at its end.
    if decisions.machine.authorizations.beneathPolicies.isEmpty {
      daily.disarm()
    } else if !daily.isArmed {
      daily.arm(atRealtime: now.adding(seconds: 86_400).microseconds, accuracy: .seconds(3600))
    }
    guard let next = decisions.machine.authorizations.nextExpiry else { return expiry.disarm() }
    expiry.arm(atRealtime: next.microseconds)
  }
}
