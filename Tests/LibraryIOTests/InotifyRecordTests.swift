import Inotify
import Testing
import TestSupport

@Suite
struct InotifyRecordTests {
  private func bytes(_ record: InotifyRecord, padding: Int) -> [UInt8] {
    func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    return word(UInt32(bitPattern: record.watch)) + word(record.mask) + word(record.cookie)
      + word(UInt32(record.name.count + padding)) + record.name + [UInt8](repeating: 0, count: padding)
  }

  private func parse(_ bytes: [UInt8], at offset: Int = 0) -> (records: [InotifyRecord], count: Int) {
    var records: [InotifyRecord] = []
    // Moved to an odd address: a record need not be aligned.
    let moved = [UInt8](repeating: 0xAA, count: offset) + bytes
    let count = moved.withUnsafeBytes {
      InotifyRecord.parse(UnsafeRawBufferPointer(rebasing: $0[offset...])) { records.append($0) }
    }
    return (records, count)
  }

  @Test("inotify(7): whole records come out as they went in, and half of one does not")
  func chunks() {
    let records = [
      InotifyRecord(watch: 1, mask: 0x100, cookie: 0, name: Array("a.jpg".utf8)),
      InotifyRecord(watch: -1, mask: 0x4000, cookie: 0, name: []),
      InotifyRecord(watch: 7, mask: 0x40, cookie: .max, name: [UInt8](repeating: 0xFF, count: 255)),
    ]
    let whole = records.map { bytes($0, padding: $0.name.isEmpty ? 0 : 16 - $0.name.count % 16) }
    let all = Array(whole.joined())
    for count in 0...all.count {
      for offset in 0..<4 {
        let (found, used) = parse(Array(all.prefix(count)), at: offset)
        #expect(found == Array(records.prefix(found.count)))
        #expect(used == whole.prefix(found.count).reduce(0) { $0 + $1.count } && used <= count)
        #expect(count < all.count || found.count == records.count)
      }
    }
  }

  @Test("R3: any bytes at all are read without a trap, and never beyond their end", arguments: 1...64)
  func anything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var found = 0
    for _ in 0..<2000 {
      var bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      // Lengths that nearly fit are the ones that matter.
      if bytes.count > 16, Bool.random(using: &random) {
        bytes[12] = UInt8(Int.random(in: 0..<bytes.count, using: &random))
        for index in 13..<16 { bytes[index] = 0 }
      }
      let (records, used) = parse(bytes)
      #expect(used <= bytes.count)
      #expect(records.allSatisfy { $0.name.count <= bytes.count && !$0.name.contains(0) })
      #expect(records.reduce(0) { $0 + 16 + $1.name.count } <= used)
      found += records.count
    }
    #expect(found > 500, "some of it are records")
  }
}
