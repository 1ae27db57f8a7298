/// The version of this tree, which daemon and client are built from.
public enum ProductVersion {
  /// What `--version` and `org.varlink.service` name.
  public static let current = "0.1.0"
}
