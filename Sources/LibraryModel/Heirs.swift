/// Assets that began under a name of another, whose file had other names still: perhaps only the first of that one's
/// names to be replaced, so that both are the same when the last one is. And assets that began while it was still to be
/// decided what had become of names in doubt: their files may have taken another's name just then, as well as their own
/// (docs/decisions/0071-several-names.md).
///
/// Time is passed in, in microseconds.
struct Heirs {
  private struct Claim {
    var asset: AssetID
    var deadline: UInt64
  }

  /// As long as a name brings back the id of what was removed.
  private static let lifetime: UInt64 = 10_000_000
  /// Of those that are remembered beyond that, no more than twice as many are kept.
  private static let capacity = 4096

  private var names = RecentValues<Location, Claim>(capacity: capacity)
  private var assets = RecentValues<AssetID, Claim>(capacity: capacity)
  /// Until when those count that began with several names, since nothing was left to be decided.
  private var young = RecentValues<AssetID, UInt64>(capacity: capacity)
  private var isEmpty = true

  /// A name was taken from an asset whose file has others.
  mutating func lost(_ name: Location, by asset: AssetID, now: UInt64) {
    isEmpty = false
    names[name] = Claim(asset: asset, deadline: now + Self.lifetime)
  }

  /// A new asset has that name.
  mutating func began(_ asset: AssetID, at name: Location, now: UInt64) {
    guard !isEmpty, let claim = names[name], claim.deadline > now else { return }
    assets[asset] = claim
  }

  /// A new asset's file has other names, of which one may be another asset's that is not looked at yet.
  ///
  /// - Parameter memory: for how long what is found is known where nobody listens, if that is longer.
  mutating func beganWithOtherNames(_ asset: AssetID, now: UInt64, memory: UInt64) {
    young[asset] = now + max(Self.lifetime, memory)
  }

  /// Nothing is left to be decided: what began by now was there before whatever comes.
  mutating func forgetYoung() { young = RecentValues(capacity: Self.capacity) }

  /// Whether an asset began a moment ago under a name that another had had, or while that one's was in doubt.
  func isHeir(_ asset: AssetID, of former: AssetID, now: UInt64) -> Bool {
    if let deadline = young[asset], deadline > now { return true }
    guard let claim = assets[asset] else { return false }
    return claim.asset == former && claim.deadline > now
  }
}
