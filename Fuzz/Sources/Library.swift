import Glibc
import Inotify

@testable import LibraryModel
@testable import Storage

/// What is read from the disk and from the kernel about the library.
let libraryFuzzers = [
  Fuzzer("inotify", longest: 8192) { bytes in
    var written: [UInt8] = []
    let understood = InotifyRecord.parse(UnsafeRawBufferPointer(bytes)) { record in
      expect(!record.name.contains(0), "a name ends at its padding")
      written.append(littleEndian: record.watch)
      written.append(littleEndian: record.mask)
      written.append(littleEndian: record.cookie)
      written.append(littleEndian: UInt32(record.name.count))
      written += record.name
    }
    expect(understood <= bytes.count && written.count <= understood, "nothing is read that is not there")
    var again: [UInt8] = []
    let count = written.withUnsafeBytes { written in
      InotifyRecord.parse(written) { again += $0.name }
    }
    expect(count == written.count, "what was understood is understood again")
  },

  // The entries of a batch, as they stand in a record of the log.
  Fuzzer("redo", longest: 4096) { bytes in
    var defined: Set<UInt8> = []
    let entries = RedoReader.entries(of: Array(bytes)[...], defined: &defined)
    checkLog(Array(bytes), entries?.count)
  },

  // The file as it is found.
  Fuzzer("redolog", longest: 4096) { bytes in
    guard let log = mockLog else { return }
    log.write(Array(bytes))
    guard var opened = try? RedoLog(path: log.path, seed: 7) else { return }
    let batches = try? opened.batches(after: .start)
    expect(batches != nil, "it can be read")
    expect(opened.position <= RedoLog.capacity, "the next record is in the file")
    expect(batches?.entries.isEmpty != true || opened.position == 0, "what is not understood is written over")
  },

  Fuzzer("media", longest: 2048) { bytes in
    let format = MediaFormat(beginning: bytes)
    expect(
      format == MediaFormat(beginning: bytes.prefix(MediaFormat.beginningLength)), "the beginning tells")
    let name = FileName(bytes.filter { $0 != 0 && $0 != UInt8(ascii: "/") })
    if let format {
      let fitting = name.fitting(format)
      expect(MediaType(name: fitting) == format.type || fitting.bytes.count < 5, "a name fits what it names")
      expect(fitting.bytes.starts(with: name.bytes), "and begins as it did")
    }
    expect(!name.countsAsAsset || MediaType(name: name) != nil, "what counts is media")
    expect(!(name.countsAsAsset && name.isHidden), "and not hidden")
    expect(name.stem.count <= name.bytes.count, "a stem is in its name")
  },
]

private struct MockLog: Sendable {
  let path: String

  init?() {
    var path = Array("/dev/shm/albumd-fuzz-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else { return nil }
    close(file)
    self.path = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    MockLog.path = self.path
    atexit { unlink(MockLog.path) }
  }

  nonisolated(unsafe) private static var path = ""

  func write(_ bytes: [UInt8]) {
    let file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    _ = Glibc.write(file, bytes, bytes.count)
    close(file)
  }
}

private let mockLog = MockLog()

/// A record with that payload is read as it was written, and with a byte changed is none.
private func checkLog(_ payload: [UInt8], _ count: Int?) {
  guard let mock = mockLog, var log = try? RedoLog(path: mock.path, seed: 7) else { return }
  let (start, end) = (Place(rawValue: 3), Place(rawValue: 4))
  guard (try? log.erase()) != nil, (try? log.append(payload, from: start, to: end)) != nil else { return }
  let written = log.position
  guard let batches = try? log.batches(after: start) else { return expect(false, "it can be read") }
  expect(batches.isWhole == (count != nil), "what is understood is whole")
  expect(batches.entries.first?.count == count, "and is what was written")
  expect(log.position == (count == nil ? 0 : written), "the next record comes after it")
  expect((try? log.batches(after: end))?.entries.isEmpty == true, "what is committed is not done again")
  guard var other = try? RedoLog(path: mock.path, seed: 8) else { return }
  expect((try? other.batches(after: start))?.entries.isEmpty == true, "nor what is another index's")
}
