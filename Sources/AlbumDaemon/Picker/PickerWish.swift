internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer

/// What an app would have the owner pick (S23, S105).
struct PickerWish: Sendable {
  /// Only these kinds; all when nil.
  var mediaTypes: Set<MediaType>?
  /// Only photos for which this holds; all when nil.
  var filter: AssetFilter?
  /// The same, as agents are told it.
  var toldFilter: PickerInterface.PickerFilter?
  /// At most so many; any number at 0.
  var limit = 0
  /// At least so many, or none at all; any number at 0.
  var minimum = 0
  /// What is picked when it opens, in this order, by public ids.
  var preselected: [String] = []

  /// Whether an asset is one that may be picked.
  func allows(_ asset: Asset) -> Bool {
    mediaTypes?.contains(asset.mediaType) != false && filter?.holds(for: asset) != false
  }

  /// What is wrong with picking no more than these; nil where they are enough.
  func problem(with picked: Int) -> String? {
    picked < minimum ? "\(picked) assets are picked; at least \(minimum) must be, or none" : nil
  }
}

extension PickerWish {
  /// What a call asks for, without what is picked already.
  ///
  /// - Parameter isBounded: whether one reply has to hold all of it.
  /// - Throws: `InvalidParameter`.
  init(
    _ parameters: PickerInterface.Pick.Parameters, isBounded: Bool, _ ids: OpaqueIDs
  ) throws(InvalidParameter) {
    mediaTypes = parameters.mediaTypes.map { Set($0.map(MediaType.init)) }
    if mediaTypes?.isEmpty == true { throw InvalidParameter(parameter: "mediaTypes") }
    if let filter = parameters.filter {
      self.filter = try AssetFilter(filter.asAssetFilter, albums: ids, at: "filter")
      toldFilter = filter.withoutRepetition
    }
    let asked = parameters.selectionLimit ?? 0
    guard asked >= 0 else { throw InvalidParameter(parameter: "selectionLimit") }
    let most = PickerInterface.mostItems
    limit = isBounded ? (asked == 0 ? most : min(asked, most)) : asked
    minimum = parameters.minimum ?? 0
    guard 0...PickerInterface.mostRequired ~= minimum, limit == 0 || minimum <= limit else {
      throw InvalidParameter(parameter: "minimum")
    }
    guard parameters.preselected?.count ?? 0 <= PickerInterface.mostPreselected else {
      throw InvalidParameter(parameter: "preselected")
    }
  }

  /// Picks what may be picked of what an app names, in its order. What it does not see is left out as what there is not
  /// (S16), and what no picker shows, because it is hidden (S91). Others have their turn in between.
  ///
  /// - Parameter view: what the app sees, asked for each time; nil where it sees nothing.
  @EventLoopActor
  mutating func preselect(
    _ names: [String], _ call: ServerCall, in view: () throws -> LibraryView?, _ store: any LibraryReading
  ) async throws {
    let most = limit > 0 ? limit : PickerInterface.mostPreselected
    var looked: Set<String> = []
    var known: Set<AssetID> = []
    try await call.inSlices(names) { names in
      guard let view = try view() else { return }
      for name in names where preselected.count < most && looked.insert(name).inserted {
        let (asset, isMeant) = try store.asset(named: name)
        guard let asset, isMeant, view.sees(asset), !asset.isHidden, allows(asset),
          known.insert(asset.id).inserted
        else { continue }
        preselected.append(store.ids.encode(asset.id))
      }
    }
  }
}

extension PickerInterface.PickerFilter {
  /// The same, each kind and subtype named once: within the bounds of a filter it is as short as any.
  fileprivate var withoutRepetition: Self {
    .init(
      all: all?.map(\.withoutRepetition), any: any?.map(\.withoutRepetition),
      none: none?.map(\.withoutRepetition),
      mediaTypes: mediaTypes.map { types in PickerInterface.MediaType.allCases.filter(types.contains) },
      subtypes: subtypes.map { types in PickerInterface.Subtype.allCases.filter(types.contains) })
  }
}
