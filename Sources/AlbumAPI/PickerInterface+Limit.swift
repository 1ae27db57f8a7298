extension PickerInterface {
  /// The most items of one reply: as many descriptors as one message carries (SCM_MAX_FD, unix(7)).
  public static let mostItems = 253
}
