/// What a requester is told, once.
package enum RequestReply<Answer: Sendable>: Sendable {
  /// An authorization request: the status that it came to.
  case status(EffectiveStatus)
  /// A question: the owner's answer, and whose it is.
  case answer(Answer, by: AccessEvent.Author)
  /// A change by a manager is on disk; where it takes something away it may only count, and the disk does not take it
  /// yet for this reason.
  case stored(unsaved: String? = nil)
  /// It cannot be had.
  case failure(RequestError)
}

/// Why a request came to nothing. Never a denial (rule S11).
package enum RequestError: Error, Hashable, Sendable {
  /// Nobody is there to ask (rule S12).
  case noAgent
  /// The app's manifest does not say why it asks (rule S14): the level, and the file to write.
  case usageDescriptionMissing(appID: String, AccessLevel, manifest: String)
  /// The owner said "not now" three times (rule S13).
  case throttled(retryAfterSeconds: Int64)
  /// Another prompt of the app is open, or the user's apps have too many (rule S13).
  case busy
  /// By the manifests that were read meanwhile, who asked is another app (rule S35), or none.
  case anotherApp
  /// Only the administrator can change it (rule S37).
  case lockedByPolicy(Policy)
  /// The registry could not store it, for this reason; nothing was decided.
  case notStored(String)
}

/// What an agent answers with.
package enum PromptAnswer<Answer: Sendable>: Sendable {
  /// To an authorization prompt.
  case authorization(AuthorizationAnswer)
  /// To a question.
  case question(Answer)
}

/// What is said to an answer.
package enum AnswerReply: Hashable, Sendable {
  /// It was taken, and a decision is on disk.
  case accepted
  /// It was taken, and counts; the disk does not take it yet, for this reason.
  case acceptedUnsaved(String)
  /// No prompt of that name is shown to an agent of this owner's.
  case noSuchPrompt
  /// It does not fit; the prompt is still open.
  case invalid(InvalidAnswer)
  /// It could not be stored, for this reason; nothing was decided.
  case notStored(String)
}
