/// Which assets are yet to be hashed, and the hashes of others, for whoever only reads that (S96).
package protocol HashRows: AnyObject {
  /// How many assets are yet to be hashed.
  var unhashedCount: Int { get }
  /// Up to `limit` assets that are yet to be hashed, those first that came last, after one of them.
  func unhashed(after last: AssetID?, limit: Int) throws -> [AssetID]
  /// The hash of an asset, if that is still the content of this length and time, and it is hidden or shown as it was then.
  func contentHash(
    of asset: AssetID, byteCount: Int64, modified: Int64, isHidden: Bool
  ) throws -> ContentHash?
}
