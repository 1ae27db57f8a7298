import TestSupport
import Testing

@testable import LibraryModel

@Suite("S100: bursts, by the names that cameras give")
struct BurstTests {
  private func read(_ name: some Sequence<UInt8>, _ type: MediaType = .image) -> Burst? {
    Burst(of: type, named: FileName(name))
  }

  /// Names as cameras write them, what is the same in those of one burst, and whether it stands for the burst.
  private static let cameras: [(String, String, Bool)] = [
    // Google's: with the second, with the millisecond, and of the program for other phones.
    ("00001IMG_00001_BURST20171111030039.jpg", "BURST20171111030039", false),
    ("00015IMG_00015_BURST20171111030039_COVER.jpg", "BURST20171111030039", true),
    ("00000IMG_00000_BURST20190817141236616_COVER.jpg", "BURST20190817141236616", true),
    ("00100lPORTRAIT_00100_BURST20191125100034838_COVER.jpg", "BURST20191125100034838", true),
    ("00002IMG_00002_BURST1723801037429.JPG", "BURST1723801037429", false),
    ("00001IMG_00001_BURST1723801037429_COVER.heic", "BURST1723801037429", true),
    // Sony's.
    ("DSC_0001_BURST20230709220904977.JPG", "BURST20230709220904977", false),
    ("DSC_0035_BURST20230709220904977_COVER.JPG", "BURST20230709220904977", true),
    // Huawei's, Motorola's and OPPO's.
    ("IMG_20231014_183246_BURST001_COVER.jpg", "IMG_20231014_183246_BURST", true),
    ("IMG_20231014_183246_BURST001.jpg", "IMG_20231014_183246_BURST", false),
    ("IMG_20231014_183246_BURST012.jpg", "IMG_20231014_183246_BURST", false),
    ("IMG_20131108_183542_BURST7.jpg", "IMG_20131108_183542_BURST", false),
    ("IMG_20180411_195835602_BURST000_COVER_TOP.jpg", "IMG_20180411_195835602_BURST", true),
    ("IMG_20180411_195835602_BURST001.jpg", "IMG_20180411_195835602_BURST", false),
    ("IMG20230502094505_BURST018.jpg", "IMG20230502094505_BURST", false),
    // Samsung's: the first stands for them, since none is marked.
    ("20151013_101112_Burst01.jpg", "20151013_101112_Burst", true),
    ("20151013_101112_Burst02.jpg", "20151013_101112_Burst", false),
    ("20151013_101112_Burst11.jpg", "20151013_101112_Burst", false),
    ("IMG_20240323_114830_Burst01.jpg", "IMG_20240323_114830_Burst", true),
  ]

  @Test("S100: what is the same in the names of a burst, and which of them stands for it", arguments: cameras)
  func names(name: String, identifier: String, isRepresentative: Bool) throws {
    let burst = try #require(read(name.utf8))
    #expect(burst.identifier == identifier && burst.isRepresentative == isRepresentative)
    #expect(burst.identifier.utf8.count <= Burst.mostBytes)
    // The still of a live photo is of the burst, and no video is.
    #expect(self.read(name.utf8, .livePhoto) == burst)
    #expect(self.read(name.utf8, .video) == nil)
  }

  @Test("S100: the longest identifier is as long as one may be")
  func longest() {
    #expect(Self.cameras.map { $0.1.utf8.count }.max() == Burst.mostBytes)
  }

  @Test(
    "S100: other names are of no burst: also what may have been numbered by whoever copied it, and copies",
    arguments: [
      "IMG_1.jpg", "20151013_101112.jpg", "20151013_101112_001.jpg", "20151013_101112(1).jpg",
      "IMG_20231014_183246_BURST001 (2).jpg", "IMG_20231014_183246_BURST001_COVER~2.jpg",
      "IMG_20231014_183246_BURST001_COVER-edited.jpg", "Copy of 00001IMG_00001_BURST20171111030039.jpg",
      "IMG_20231014_183246_BURST.jpg", "IMG_20231014_183246_BURST0001.jpg", "IMG_20231014_1832_BURST001.jpg",
      "IMG_20231014_18324x_BURST001.jpg", "IMAG0001_BURST001_COVER.jpg", "_BURST001.jpg", "BURST001.jpg",
      "20151013_101112_Burst.jpg", "20151013_101112_Burst0001.jpg", "20151013_101112_Burst01_COVER.jpg",
      "20151013_101112_burst01.jpg", "20151013_101112_BURST20171111030039_COVER_TOP.jpg",
      "_BURST20171111030039.jpg", "BURST20171111030039.jpg", "x_BURST201711110300.jpg",
      "x_BURST201711110300391234.jpg", "x_Burst20171111030039.jpg", "x_BURST20171111030039_COVER_COVER.jpg",
      "x_BURST20171111030039.edited.jpg", "", ".", "..", "_COVER", ".jpg",
    ])
  func others(name: String) { #expect(read(name.utf8) == nil) }

  @Test("S100: what a peer may call a file: bytes that are no text, marks on digits, and what is long")
  func hostile() {
    let number = "_BURST20171111030039"
    for prefix in ["日本", "a b", "e\u{301}", "a\u{0}b", "\u{202E}x", "a/b"] {
      #expect(read("\(prefix)\(number).jpg".utf8) == nil, "\(prefix)")
    }
    for ending in ["\u{301}", "\u{20DD}", "\u{200D}", "٣", "３", "²"] {
      #expect(read("x\(number)\(ending).jpg".utf8) == nil)
      #expect(read("20151013_101112_Burst0\(ending).jpg".utf8) == nil)
      #expect(read("IMG_20231014_18324\(ending)_BURST001.jpg".utf8) == nil)
    }
    #expect(read([0xFF] + "x\(number).jpg".utf8) == nil)
    #expect(read("x\(number)".utf8 + [0xC3] + ".jpg".utf8) == nil)
    // A mark on the dot is of the extension; there only the bytes count.
    #expect(read("x\(number).\u{301}jpg".utf8)?.identifier == "BURST20171111030039")
    // As long as a name can be, and longer: what is long is never in the identifier.
    for count in [234, 1 << 20] {
      let long = String(repeating: "x", count: count)
      #expect(read("\(long)\(number).jpg".utf8)?.identifier == "BURST20171111030039")
      #expect(read("\(long)_BURST\(String(repeating: "1", count: count)).jpg".utf8) == nil)
      #expect(read(String(repeating: "_COVER", count: count).utf8) == nil)
      #expect(read(String(repeating: "1", count: count).utf8) == nil)
    }
  }

  @Test("S100: whatever the bytes, an identifier is short, and is of letters, digits and _")
  func random() {
    var rng = SeededGenerator(seed: 100)
    let parts: [[UInt8]] =
      [
        "IMG_", "IMG", "20231014", "183246", "195835602", "_", "_BURST", "_Burst", "001", "01", "1", "_COVER",
        "_TOP",
        "20171111030039", ".", ".jpg", "é", "x", " ",
      ].map { Array($0.utf8) } + [[0xFF], [0x80]]
    var found = 0
    for _ in 0..<200_000 {
      let name = (0..<Int.random(in: 1...8, using: &rng)).flatMap { _ in
        parts.randomElement(using: &rng) ?? []
      }
      guard let burst = read(name) else { continue }
      found += 1
      #expect(1...Burst.mostBytes ~= burst.identifier.utf8.count)
      #expect(burst.identifier.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
      // It is said in the name already.
      #expect(String(decoding: name, as: UTF8.self).contains(burst.identifier))
    }
    #expect(found > 20)
  }

  @Test("S92, S100: the filter of a burst holds for what is of it, and narrows a search where it must hold")
  func filter() {
    func asset(_ name: String, _ type: MediaType = .image) -> Asset {
      Asset(
        id: AssetID(rawValue: 1), mediaType: type,
        identity: FileIdentity(volume: .unknown, inode: 1, birthTime: 1), byteCount: 1, created: 1,
        modified: 1,
        primary: Location(DirectoryID(rawValue: 1), FileName(name)))
    }
    let filter = AssetFilter.burst("20151013_101112_Burst")
    #expect(filter.holds(for: asset("20151013_101112_Burst02.jpg")))
    #expect(!filter.holds(for: asset("20151013_101112_Burst02.mp4", .video)))
    #expect(!filter.holds(for: asset("20151013_101113_Burst02.jpg")))
    #expect(!AssetFilter.burst("").holds(for: asset("a.jpg")))
    #expect(!AssetFilter.burst("20151013_101112_Burst02").holds(for: asset("20151013_101112_Burst02.jpg")))
    let narrowing: [AssetFilter] = [filter, .all([.isFavorite(true), filter]), .any([filter])]
    let others: [AssetFilter] = [
      .none([filter]), .any([filter, .isFavorite(true)]), .all([]), .nameContains("Burst"),
    ]
    #expect(narrowing.allSatisfy(\.namesBurst) && !others.contains(where: \.namesBurst))
  }
}
