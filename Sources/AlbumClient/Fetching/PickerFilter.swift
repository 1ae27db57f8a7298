public import AlbumAPI

/// Which photos a picker shows (S105). PhotoKit: `PHPickerFilter`.
///
/// ```swift
/// let picked = try await library.pick(filter: .all(of: [.images, .not(.screenshots)]))
/// ```
///
/// As the interface has it: a field that is set holds, and so do the others. The functions make one of a single field. At
/// most 8 lie inside of one another, and at most 64 are in one: else the daemon refuses it (`invalidParameter`).
public typealias PickerFilter = PickerInterface.PickerFilter

extension PickerInterface.PickerFilter {
  /// Stills, those of live photos included.
  public static let images = PickerFilter(mediaTypes: [.image, .livePhoto])
  /// Films; not the movies of live photos.
  public static let videos = PickerFilter(mediaTypes: [.video])
  /// Stills with a movie beside them.
  public static let livePhotos = PickerFilter(mediaTypes: [.livePhoto])
  /// Pictures of screens.
  public static let screenshots = PickerFilter(subtypes: [.screenshot])
  /// Pictures much wider, or higher, than one look takes in.
  public static let panoramas = PickerFilter(subtypes: [.panorama])

  /// Pictures that are any of these.
  public static func subtypes(_ subtypes: Set<LibraryInterface.Subtype>) -> PickerFilter {
    .init(subtypes: LibraryInterface.Subtype.allCases.filter(subtypes.contains))
  }

  /// At least one of these holds; of none it never does.
  public static func any(of filters: [PickerFilter]) -> PickerFilter { .init(any: filters) }
  /// All of these hold; so it is of none.
  public static func all(of filters: [PickerFilter]) -> PickerFilter { .init(all: filters) }
  /// This does not hold.
  public static func not(_ filter: PickerFilter) -> PickerFilter { .init(none: [filter]) }
}
