import Glibc
import LibraryModel
import Testing

@testable import Storage

@Suite("S26: the records of the redo log")
struct RedoRecordTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite-redo" }
  private let seed: UInt64 = 0x1234_5678_9ABC_DEF0
  private let payload: [UInt8]

  init() throws {
    directory = try StateDirectory()
    let recorder = RedoRecorder()
    recorder.begin(isOn: true)
    var code: RedoRecorder.Code?
    let values = RedoValues()
    values.append(1, Int64(-5))
    values.append(2)
    values.append(3, 2.5)
    [7, 8, 9].withUnsafeBytes { values.append(4, .blob, $0) }
    recorder.note("INSERT INTO meta VALUES (?, ?, ?, ?)", values, as: &code)
    payload = recorder.entries
  }

  /// How many batches there are.
  private func count() throws -> Int {
    var log = try RedoLog(path: path, seed: seed)
    return try log.batches(after: .start).entries.count
  }

  @Test("a run is written down as it was: its values, each with its index and type")
  func entry() throws {
    var log = try RedoLog(path: path, seed: seed)
    try log.append(payload, from: .start, to: Place(rawValue: 1))
    let entries = try #require(try log.batches(after: .start).entries.first)
    guard entries.count == 2, case .run(let code, let values) = entries[1] else {
      Issue.record("\(entries)")
      return
    }
    #expect(code == 0 && values.map(\.index) == [1, 2, 3, 4])
    guard case .integer(-5) = values[0].value, case .null = values[1].value,
      case .real(2.5) = values[2].value, case .blob(let bytes) = values[3].value
    else {
      Issue.record("\(values)")
      return
    }
    #expect(bytes.count == 3 * MemoryLayout<Int>.size)
  }

  @Test("a record of which any one byte is another does not count")
  func damaged() throws {
    do {
      var log = try RedoLog(path: path, seed: seed)
      try log.append(payload, from: .start, to: Place(rawValue: 1))
    }
    #expect(try count() == 1)
    let file = open(path, O_RDWR | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    for offset in 0..<32 + payload.count {
      var byte: UInt8 = 0
      _ = pread(file, &byte, 1, off_t(offset))
      for bit in [UInt8(1), 0x80] {
        var other = byte ^ bit
        try #require(pwrite(file, &other, 1, off_t(offset)) == 1)
        #expect(try count() == 0, "byte \(offset)")
      }
      try #require(pwrite(file, &byte, 1, off_t(offset)) == 1)
    }
    #expect(try count() == 1)
  }

  @Test("a record of an older version, summed up byte by byte, counts, but for another index's")
  func former() throws {
    var sum = 0xCBF2_9CE4_8422_2325 ^ seed
    for place in [UInt64(0), 1] { sum = (sum ^ place) &* 0x100_0000_01B3 }
    for byte in payload { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var record: [UInt8] = []
    record.append(littleEndian: UInt32(0x6F64_6572))
    record.append(littleEndian: UInt32(payload.count))
    record.append(littleEndian: Int64(0))
    record.append(littleEndian: Int64(1))
    record.append(littleEndian: sum)
    record += payload
    try directory.write("library.sqlite-redo", record)
    #expect(try count() == 1)
    var other = try RedoLog(path: path, seed: seed ^ 1)
    #expect(try other.batches(after: .start).entries.isEmpty)
  }
}
