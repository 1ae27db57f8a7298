extension PickerInterface {
  /// The most files of one reply: as many descriptors as one message carries (SCM_MAX_FD, unix(7)).
  public static let mostItems = 253
}
