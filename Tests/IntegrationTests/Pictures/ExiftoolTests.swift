import AlbumAPI
import Foundation
import Glibc
import TestSupport
import Testing

/// `COMPARED=1000` compares so many files, of another seed each time. docs/decisions/0094-beside-exiftool.md has each
/// difference that is allowed for here.
@Suite("albumctl describe and exiftool say the same", .blocking, .timeLimit(.minutes(60)))
struct ExiftoolTests {
  /// How many files, and what they are made from.
  private static let asked: (count: Int, seed: UInt64) = {
    guard let text = getenv("COMPARED").map({ String(cString: $0) }) else { return (44, 49) }
    guard let count = Int(text), 1...1000 ~= count else { fatalError("COMPARED=\(text): 1 to 1000") }
    return (count, .random(in: 0...999_999))
  }()

  @Test("S48, S49: when, where, how large and how long, of files of every format, field by field")
  func agreement() throws {
    var random = SeededGenerator(seed: Self.asked.seed)
    let maker = try PictureMaker()
    for number in 0..<Self.asked.count {
      let kind = PictureMaker.kinds[number % PictureMaker.kinds.count]
      try maker.add("\(number).\(kind)", kind, TakenFacts(using: &random))
    }
    let files = try maker.files()
    let host = try Host { library in
      library.environment = ["TZ=UTC"]
      for (name, bytes) in files { try library.add(name, bytes) }
    }
    let owner = try host.owner()
    try owner.waitUntilDescribed(Deadline(seconds: 1200))
    let assets = try owner.assets(.init(limit: 1000))
    #expect(assets.count == files.count)
    let facts = try said(by: host.library.photos)
    var (dated, placed) = (0, 0)
    for asset in assets {
      let result = try host.albumctl("describe", "--owner", "--json", asset.id)
      let said = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      let comparison = try PictureComparison(
        name: asset.filename, ours: said, theirs: #require(facts[asset.filename]), seed: Self.asked.seed)
      if comparison.time() { dated += 1 }
      if comparison.place() { placed += 1 }
      comparison.size()
      comparison.length()
    }
    // GIF, AVI and MTS say no time; those, MKV and WebM no place, nor do some of the others.
    #expect(dated >= assets.count * 18 / 22 && placed >= assets.count * 17 / 44)
    if Self.asked.count > 44 {
      print("\(assets.count) files of seed \(Self.asked.seed): \(dated) dated, \(placed) placed")
    }
  }

  /// What exiftool says of each file: numbers as numbers, films in UTC.
  private func said(by directory: String) throws -> [String: [String: Any]] {
    let output = try PictureTools.run(
      "exiftool", "-j", "-n", "-api", "QuickTimeUTC=1", "-api", "TimeZone=UTC", directory)
    let all = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]] ?? []
    return Dictionary(
      uniqueKeysWithValues: all.compactMap { facts in (facts["FileName"] as? String).map { ($0, facts) } })
  }
}
