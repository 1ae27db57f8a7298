extension Words {
  /// What is said in English of why something failed, such as strerror(3) says, said in this language wherever it stands in a
  /// sentence.
  package func sayingReasons(_ text: String) -> String {
    guard language != "en" else { return text }
    return Self.reasons.reduce(text) { text, phrase in
      let english = Words.english[phrase]
      return text.contains(english) ? text.replacing(english, with: self[phrase]) : text
    }
  }

  private static let reasons: [Phrase] = [
    .ioNoEntry, .ioNoAccess, .ioNotPermitted, .ioIsDirectory, .ioNoDirectory, .ioNoSpace,
    .ioQuota, .ioReadOnly, .ioFailed, .ioTooManyFiles, .ioLongName, .ioLoop,
    .ioExists, .ioRefused, .ioInvalid, .ioBadDescriptor, .ioNoMemory, .ioAgain,
    .ioCrossDevice, .ioOtherFileSystem,
  ]
}
