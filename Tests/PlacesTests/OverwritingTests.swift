import PictureAPI
import TestSupport
import Testing

@Suite("What readers say is to be overwritten")
struct OverwritingTests {
  private let some = [
    Overwriting(3..<10, .zeros), Overwriting(10..<12, .bytes([1, 2])), Overwriting(20..<100, .blanks),
  ]

  @Test("S52, S56: what was found is read back as it was written")
  func same() throws {
    let bytes = try #require(OverwritingBytes.encode(some))
    #expect(OverwritingBytes.decode(bytes, fileSize: 100) == some)
    #expect(OverwritingBytes.bytes(of: OverwritingBytes.text(bytes)) == bytes)
    #expect(OverwritingBytes.decode([], fileSize: 0) == [])
  }

  @Test(
    "S56: what was found for one user is not taken for another's, nor what was kept before it said for whom")
  func user() throws {
    let bytes = try #require(OverwritingBytes.encode(some, for: 1000))
    #expect(OverwritingBytes.decode(bytes, for: 1000, fileSize: 100) == some)
    #expect(OverwritingBytes.decode(bytes, for: 1001, fileSize: 100) == nil)
    let none = try #require(OverwritingBytes.encode([], for: .max))
    #expect(OverwritingBytes.decode(none, for: .max, fileSize: 0) == [])
    #expect(bytes.first == OverwritingBytes.mark)
    // By other rules, or for nobody.
    let other = [OverwritingBytes.mark + 1] + bytes.dropFirst()
    #expect(OverwritingBytes.decode(other, for: 1000, fileSize: 100) == nil)
    for former in [[], try #require(OverwritingBytes.encode(some))] {
      #expect(OverwritingBytes.decode(former, for: 0, fileSize: 100) == nil)
    }
  }

  @Test("S52, S56: what lies outside of the file, overlaps, or is out of order is not believed")
  func hostile() throws {
    func decoded(_ overwritings: [Overwriting], _ size: Int = 100) throws -> [Overwriting]? {
      OverwritingBytes.decode(try #require(OverwritingBytes.encode(overwritings)), fileSize: size)
    }
    #expect(try decoded(some, 99) == nil)
    #expect(try decoded([some[1], some[0]]) == nil)
    #expect(try decoded([some[0], Overwriting(9..<11, .zeros)]) == nil)
    #expect(try decoded([some[0], some[0]]) == nil)
    let bytes = try #require(OverwritingBytes.encode(some))
    #expect(OverwritingBytes.decode(Array(bytes.dropLast()), fileSize: 100) == nil)
    #expect(OverwritingBytes.decode([UInt8](repeating: 0xFF, count: 13), fileSize: .max) == nil)
    #expect(
      OverwritingBytes.decode([UInt8](repeating: 0, count: 13), fileSize: 100) == nil, "nothing to overwrite")
    #expect(
      OverwritingBytes.decode([UInt8](repeating: 0, count: OverwritingBytes.most + 1), fileSize: 1) == nil)
    for text in ["0", "0g", "0F", "é", String(repeating: "0", count: 2 * OverwritingBytes.most + 2)] {
      #expect(OverwritingBytes.bytes(of: text) == nil)
    }
  }

  @Test("S52, S56: whatever is said, what is believed lies in the file, in order, each byte once")
  func random() {
    var random = SeededGenerator(seed: 52)
    for _ in 0..<20_000 {
      var bytes = OverwritingBytes.encode(some) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let read = OverwritingBytes.decode(bytes, fileSize: 1000) else { continue }
      var end = 0
      for overwriting in read {
        #expect(overwriting.range.lowerBound >= end && !overwriting.range.isEmpty)
        end = overwriting.range.upperBound
        _ = overwriting.byte(at: overwriting.range.upperBound - 1)
      }
      #expect(end <= 1000)
    }
  }
}
