/// What people say of an asset, and its file keeps beside its content, where other programs find it (S90, S91).
package struct AssetFlags: OptionSet, Hashable, Sendable {
  /// As it is stored.
  package let rawValue: UInt8

  /// Flags as stored.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A favourite.
  package static let favorite = AssetFlags(rawValue: 1)
  /// Hidden: left out of all that does not ask for it.
  package static let hidden = AssetFlags(rawValue: 2)
  /// All that anybody is told.
  package static let told: AssetFlags = [.favorite, .hidden]

  /// Those that the asset has from a file in whose place another is now, which does not say them itself.
  package var inherited: AssetFlags { AssetFlags(rawValue: rawValue >> Self.shift).intersection(.told) }

  /// Those that anybody is told.
  package var told: AssetFlags { intersection(.told) }

  private static let shift: UInt8 = 4

  /// The same with what another file says that is part of the asset from now on (S99): as long as its own does not say it, it is
  /// inherited.
  func joined(with other: AssetFlags) -> AssetFlags {
    let rest = other.told.subtracting(told)
    return union(rest).union(AssetFlags(rawValue: rest.rawValue << Self.shift))
  }

  /// Those that anybody is told, of a file that may not say them.
  var asInherited: AssetFlags { AssetFlags().joined(with: self) }

  /// What an asset has when its file was read.
  ///
  /// Programs that save a picture as another file leave behind what the former one said beside its content: the asset stays the
  /// same (S39), and so does what people said of it. Where the file is the one that was read before, its word counts.
  ///
  /// - Parameters:
  ///   - found: what the file says; nil where that is not known. Of the file that the asset had, it is then as it was.
  ///   - isSameFile: whether it is the file that the asset had.
  package func reading(_ found: AssetFlags?, isSameFile: Bool) -> AssetFlags {
    guard found != nil || !isSameFile else { return self }
    let found = found ?? []
    let rest = (isSameFile ? inherited : told).subtracting(found)
    return found.told.union(rest).union(AssetFlags(rawValue: rest.rawValue << Self.shift))
  }
}

/// The tags that a file keeps for other programs, separated by commas (`user.xdg.tags`), and the one that means a favourite. All
/// others are kept to the byte.
package enum FileTags {
  /// The tag, as it is written. It is read in either case.
  package static let favorite = Array("Favorite".utf8)

  /// Whether the tags have it.
  package static func haveFavorite(_ tags: [UInt8]) -> Bool {
    tags.split(separator: comma).contains(where: isFavorite)
  }

  /// The tags with it.
  package static func addingFavorite(to tags: [UInt8]) -> [UInt8] {
    if haveFavorite(tags) { return tags }
    return tags.allSatisfy { $0 == space || $0 == comma } ? favorite : tags + [comma] + favorite
  }

  /// The tags without it.
  package static func removingFavorite(from tags: [UInt8]) -> [UInt8] {
    guard haveFavorite(tags) else { return tags }
    return Array(
      tags.split(separator: comma, omittingEmptySubsequences: false).filter { !isFavorite($0) }
        .joined(separator: [comma]))
  }

  private static func isFavorite(_ tag: ArraySlice<UInt8>) -> Bool {
    let word = tag.drop { $0 == space }
    return word.prefix(favorite.count).elementsEqual(favorite) { $0 | 0x20 == $1 | 0x20 }
      && word.dropFirst(favorite.count).allSatisfy { $0 == space }
  }

  private static let comma = UInt8(ascii: ",")
  private static let space = UInt8(ascii: " ")
}

extension Asset {
  /// Whether it is a favourite.
  package var isFavorite: Bool { flags.contains(.favorite) }
  /// Whether it is hidden.
  package var isHidden: Bool { flags.contains(.hidden) }
}
