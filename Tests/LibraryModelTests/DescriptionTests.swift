import Testing

@testable import LibraryModel

@Suite("What files say of themselves") struct DescriptionTests {
  private static let place = FileDescription.Place(latitude: 48.2, longitude: 16.37, altitude: 151)

  private static func said(
    local: Int64? = nil, offset: Int? = nil, width: Int? = nil, height: Int? = nil, duration: Int64? = nil,
    subtypes: PictureSubtypes = [], place: FileDescription.Place? = nil
  ) -> FileDescription {
    FileDescription(
      takenLocal: local, takenOffset: offset, pixelWidth: width, pixelHeight: height, duration: duration,
      subtypes: subtypes, place: place)
  }

  @Test("S52: what cannot be is left out, whoever says it")
  func hostile() {
    for time in [Int64.min, -4_600_000_000_000_000, 9_300_000_000_000_000, .max] {
      #expect(Self.said(local: time, offset: 60) == .nothing)
    }
    for offset in [Int.min, -841, 841, .max] {
      #expect(Self.said(local: 0, offset: offset).takenOffset == nil)
    }
    #expect(Self.said(offset: 60) == .nothing)
    for (width, height) in [(0, 5), (5, 0), (-1, 5), (.max, 5), (.min, .min), (1 << 31, 1)] {
      #expect(Self.said(width: width, height: height) == .nothing)
    }
    #expect(Self.said(width: 5) == .nothing)
    for duration in [Int64.min, -1, 0, .max] { #expect(Self.said(duration: duration) == .nothing) }
    #expect(PictureSubtypes(rawValue: 0xFF).rawValue == 0x3F)
    for bad in [Double.nan, .infinity, -.infinity, 90.5, -1e300] {
      #expect(FileDescription.Place(latitude: bad, longitude: 0, altitude: nil) == nil)
    }
    for bad in [Double.nan, .infinity, 180.5] {
      #expect(FileDescription.Place(latitude: 0, longitude: bad, altitude: nil) == nil)
    }
    for bad in [Double.nan, .infinity, -.infinity, 1e300] {
      #expect(FileDescription.Place(latitude: 0, longitude: 0, altitude: bad)?.altitude == nil)
    }
  }

  @Test("S48: a camera's clock is read by its offset, else by the host's zone")
  func captured() throws {
    let zone: (Int64) -> Int64 = { _ in 7200 }
    let known = try #require(
      AssetDescription(Self.said(local: 3_600_000_000, offset: 60), movie: nil, offset: zone))
    #expect(known.captured == 0)
    let unknown = try #require(AssetDescription(Self.said(local: 3_600_000_000), movie: nil, offset: zone))
    #expect(unknown.captured == -3_600_000_000_000)
    #expect(AssetDescription(.nothing, movie: nil, offset: zone) == nil)
  }

  @Test("S49: a live photo lasts as long as its movie, and a still that has lost its movie does not last")
  func movie() throws {
    let still = Self.said(width: 4, height: 3)
    let both = try #require(AssetDescription(still, movie: Self.said(duration: 5)) { _ in 0 })
    #expect(both.file.duration == 5 && both.file.pixelWidth == 4)
    #expect(both.withoutMovie?.file == still)
    #expect(
      try #require(AssetDescription(.nothing, movie: Self.said(duration: 5)) { _ in 0 }).withoutMovie == nil)
  }

  @Test("what is stored is what is read again, whatever there is of it; what is cut off is no crash")
  func bytes() throws {
    var generator = SystemRandomNumberGenerator()
    for parts in 0..<128 {
      let said = Self.said(
        local: parts & 1 != 0 ? .random(in: -1_000_000_000...1_000_000_000_000_000, using: &generator) : nil,
        offset: parts & 2 != 0 ? .random(in: -840...840, using: &generator) : nil,
        width: parts & 4 != 0 ? 1 << 30 : nil, height: parts & 4 != 0 ? 1 : nil,
        duration: parts & 8 != 0 ? 77 : nil,
        subtypes: PictureSubtypes(rawValue: parts & 16 != 0 ? .random(in: 0...63, using: &generator) : 0),
        place: parts & 32 == 0
          ? nil : .init(latitude: -12.25, longitude: 170.5, altitude: parts & 64 != 0 ? -3 : nil))
      guard let description = AssetDescription(said, movie: nil, offset: { _ in 3600 }) else { continue }
      let bytes = description.bytes
      bytes.withUnsafeBytes { #expect(AssetDescription(bytes: $0) == description) }
      for count in 0..<bytes.count { bytes.prefix(count).withUnsafeBytes { _ = AssetDescription(bytes: $0) } }
    }
  }

  @Test("S48, S50: an asset is created when it was taken, which is told, and not as new content")
  func described() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let before = try #require(library.index.asset(id))
    let description = AssetDescription(Self.said(local: 5_000_000, offset: 0, place: Self.place), movie: nil)
    { _ in 0 }
    #expect(try library.librarian.files.describe(before, description))
    let after = try #require(library.index.asset(id))
    #expect(after.created == 5_000_000_000 && after.fileCreated == before.created && after.isDescribed)
    let changes = try library.librarian.finishBatch().compactMap(\.change)
    #expect(changes.map(\.operation) == [.changed(content: false)])
    #expect(changes.first?.snapshot == Change.Snapshot(after))
    // What is the same is not told again.
    #expect(try library.librarian.files.describe(after, description))
    #expect(try library.librarian.finishBatch().isEmpty)
  }

  @Test("S50, S51: another content is undescribed, and what was read of the former is dropped")
  func changed() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let before = try #require(library.index.asset(id))
    let description = AssetDescription(Self.said(local: 5_000_000, offset: 0), movie: nil) { _ in 0 }
    #expect(try library.librarian.files.describe(before, description))
    library.disk.write("a/1.jpg", 20)
    try library.hint("a/1.jpg")
    let other = try #require(library.index.asset(id))
    #expect(!other.isDescribed && other.description == nil && other.created == other.fileCreated)
    #expect(try !library.librarian.files.describe(before, description))
    #expect(library.index.asset(id) == other)
  }

  @Test("S50: what is known of a file before it has its name is told with it")
  func foretold() throws {
    let library = MemoryLibrary()
    library.disk.mkdir("a")
    try library.rescan()
    library.forget()
    library.disk.write("a/1.jpg", 10)
    let identity = try #require(library.disk.number("a/1.jpg").flatMap(library.disk.identity))
    let description = AssetDescription(Self.said(local: 5_000_000, offset: 0), movie: nil) { _ in 0 }
    library.librarian.files.foretell(description, of: identity)
    try library.hint("a/1.jpg")
    library.librarian.files.forgetForetold()
    #expect(library.changes.map(\.operation) == [.inserted])
    #expect(library.changes.first?.snapshot?.createdOfAsset == 5_000_000_000)
    #expect(library.asset("a/1.jpg")?.isDescribed == true)
  }

  @Test(
    "S58: days, months and years begin where they do",
    arguments: [
      // 1970-01-01, 2024-02-29, 2024-03-01, 1900-03-01, 2000-01-31, 1969-12-31
      (0, 0, 0), (19_782, 19_754, 19_723), (19_783, 19_783, 19_723), (-25_508, -25_508, -25_567),
      (10_987, 10_957, 10_957), (-1, -31, -365),
    ] as [(Int64, Int64, Int64)])
  func calendar(day: Int64, month: Int64, year: Int64) {
    #expect(Moment.Unit.day.firstDay(of: day) == day)
    #expect(Moment.Unit.month.firstDay(of: day) == month)
    #expect(Moment.Unit.year.firstDay(of: day) == year)
  }
}

extension Change.Snapshot {
  fileprivate var createdOfAsset: Int64? {
    switch self {
    case .asset(_, _, _, let created, _, _, _, _, _, _): created
    case .album: nil
    }
  }
}
