package import AlbumAPI
package import Words

/// What an agent says.
extension Words {
  /// What is asked, as a sentence about the app.
  ///
  /// - Parameter label: what to call the app; its name, when left out.
  package func question(_ prompt: AgentInterface.Prompt, label: String? = nil) -> String {
    let count = prompt.assets?.count ?? 0
    let phrase: Phrase =
      switch prompt.kind {
      case .authorization: prompt.accessLevel == .addOnly ? .askAddOnly : .askReadWrite
      case .limitedPicker: .askLimitedPicker
      case .picker: Self.picking(atLeast: prompt.minimum ?? 0, atMost: prompt.selectionLimit ?? 0)
      case .photoAccess: count == 1 ? .askPhotoAccessOne : .askPhotoAccessOther
      case .deletion: count == 1 ? .askDeletionOne : .askDeletionOther
      case .replacement: .askReplacement
      case .reversion: .askReversion
      }
    let name = label ?? "\(SafeText(prompt.app.name))"
    return self[
      phrase,
      [
        "app": name, "count": "\(count)", "limit": "\(prompt.selectionLimit ?? 0)",
        "minimum": "\(prompt.minimum ?? 0)",
      ]]
  }

  /// How many are to be picked; 0 is no bound.
  private static func picking(atLeast minimum: Int, atMost limit: Int) -> Phrase {
    switch (minimum > 0, limit > 0) {
    case (false, false): .askPicker
    case (false, true): .askPickerAtMost
    case (true, false): .askPickerAtLeast
    case (true, true): minimum == limit ? .askPickerExactly : .askPickerBetween
    }
  }

  /// What was answered, as a part of a sentence about the app.
  func answered(_ answer: AgentInterface.Answer) -> String {
    let selected = (answer.assets?.count ?? 0) + (answer.albums?.count ?? 0)
    let photos =
      switch answer.decision {
      case .allow where answer.assets == nil: self[.answeredAllow]
      case .allow: self[.answeredPicked, ["count": "\(selected)"]]
      case .limited: self[.answeredLimited, ["count": "\(selected)"]]
      case .deny: self[.answeredDeny]
      case .notNow: self[.answeredNotNow]
      }
    let decided = answer.location == true ? photos + self[.answeredLocation] : photos
    switch (answer.duration, answer.expires) {
    case (.untilExit?, _): return decided + self[.heldUntilExit]
    case (.until?, let expires?): return decided + self[.heldUntil, ["time": "\(LocalTime(expires))"]]
    case (.until?, nil), (.always?, _), (nil, _): return decided
    }
  }

  /// What a choice of a prompt does.
  package func title(_ decision: AgentInterface.Decision, _ prompt: AgentInterface.Prompt) -> String {
    switch (decision, prompt.kind) {
    case (.allow, .picker): self[.pickPhotos]
    case (.allow, .deletion): self[.delete]
    case (.allow, .replacement): self[.replace]
    case (.allow, .reversion): self[.revert]
    // Where some can be selected as well, "allow" is said to mean all.
    case (.allow, .authorization): prompt.accessLevel == .addOnly ? self[.allow] : self[.allowAll]
    case (.allow, .limitedPicker): self[.allowAll]
    case (.allow, .photoAccess): self[.allow]
    case (.limited, .photoAccess): self[.selectAmong]
    case (.limited, _): self[.selectPhotos]
    case (.deny, _): self[.deny]
    case (.notNow, _): self[.notNow]
    }
  }
}
