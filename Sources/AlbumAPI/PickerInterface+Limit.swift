extension PickerInterface {
  /// The most files of one reply: as many descriptors as one message carries (SCM_MAX_FD, unix(7)).
  public static let mostItems = 253
  /// The most assets that one call may name as picked already.
  public static let mostPreselected = 1000
  /// The most that a call may ask for at least.
  public static let mostRequired = 10_000
}
