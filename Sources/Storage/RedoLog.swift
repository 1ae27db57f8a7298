internal import Glibc
internal import LibraryModel

/// What has been promised to subscribers and is not yet committed: `library.sqlite-redo`
/// (docs/decisions/0009-redo-log.md).
///
/// A record holds the writing statements of one batch with their values. It is one pwrite(2) into the page
/// cache, which outlives the process, and costs a twentieth of a commit. The file is used again from its
/// beginning after every commit: a record counts only if it follows the place that the database stands at.
struct RedoLog: ~Copyable {
  /// Bytes between two commits; allocated when the file is made, so that a full disk does not matter.
  static let capacity = 1 << 18

  /// magic, length of the payload, the places before and after the batch, checksum: little-endian.
  private static let headerLength = 32
  private static let magic: UInt32 = 0x3264_6572
  /// That of records whose checksum was made of bytes one by one: an older version may have left some.
  private static let formerMagic: UInt32 = 0x6F64_6572

  private let descriptor: CInt
  private let path: String
  /// Tells this index's records from another's.
  private let seed: UInt64
  /// Where the next record begins.
  private(set) var position = 0
  private var buffer: [UInt8] = []

  /// Opens or makes the log.
  init(path: String, seed: UInt64) throws(StorageError) {
    self.path = path
    self.seed = seed
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StorageError(errno: errno, "cannot be opened", path: path) }
    let result = posix_fallocate(descriptor, 0, off_t(RedoLog.capacity))
    // A file system that cannot allocate ahead (EOPNOTSUPP) allocates as it is written.
    guard result == 0 || result == EOPNOTSUPP || result == EINVAL else {
      close(descriptor)
      throw StorageError(errno: result, "cannot be made", path: path)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Whether a batch of this length still fits before the next commit.
  func hasRoom(for length: Int) -> Bool {
    position + RedoLog.headerLength + length <= RedoLog.capacity
  }

  /// Adds a batch. When this returns, it outlives the process.
  mutating func append(_ payload: [UInt8], from start: Place, to end: Place) throws(StorageError) {
    try overwrite(at: position, payload, from: start, to: end)
  }

  /// Adds a batch in the place of what was there.
  mutating func overwrite(
    at position: Int, _ payload: [UInt8], from start: Place, to end: Place
  ) throws(StorageError) {
    buffer.removeAll(keepingCapacity: true)
    buffer.append(littleEndian: RedoLog.magic)
    buffer.append(littleEndian: UInt32(payload.count))
    buffer.append(littleEndian: start.rawValue)
    buffer.append(littleEndian: end.rawValue)
    buffer.append(littleEndian: checksum(payload[...], start, end))
    buffer += payload
    let written = buffer.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(position)) }
    guard written == buffer.count else {
      throw StorageError(errno: written < 0 ? errno : ENOSPC, "cannot be written", path: path)
    }
    self.position = position + buffer.count
  }

  /// All of it is committed: the next record is the first.
  mutating func clear() {
    position = 0
  }

  /// Whatever it holds is of no use.
  mutating func erase() throws(StorageError) {
    let zeros = [UInt8](repeating: 0, count: RedoLog.headerLength)
    let written = zeros.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard written == zeros.count else {
      throw StorageError(errno: written < 0 ? errno : ENOSPC, "cannot be written", path: path)
    }
    position = 0
  }

  /// What follows a database.
  struct Batches {
    /// In order; none if the database has them all.
    var entries: [[RedoReader.Entry]] = []
    /// Whether these are all: a batch of which one entry is not understood is none, nor is any after it.
    var isWhole = true
  }

  /// The batches that follow a database which stands at `place`. The next batch is added after them.
  mutating func batches(after place: Place) throws(StorageError) -> Batches {
    var bytes = [UInt8](repeating: 0, count: RedoLog.capacity)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw StorageError(errno: errno, "cannot be read", path: path) }
    var reader = RedoReader(bytes[..<count])
    var batches = Batches()
    var defined: Set<UInt8> = []
    var place = place
    position = 0
    while let batch = next(&reader), batch.start == place {
      guard let entries = RedoReader.entries(of: batch.payload, defined: &defined) else {
        batches.isWhole = false
        break
      }
      batches.entries.append(entries)
      place = batch.end
      position = count - reader.rest.count
    }
    return batches
  }

  private func next(
    _ reader: inout RedoReader
  ) -> (start: Place, end: Place, payload: ArraySlice<UInt8>)? {
    guard let magic = reader.integer(UInt32.self), magic == RedoLog.magic || magic == RedoLog.formerMagic,
      let length = reader.integer(UInt32.self),
      let start = reader.integer(Int64.self).map(Place.init),
      let end = reader.integer(Int64.self).map(Place.init),
      let sum = reader.integer(UInt64.self), let payload = reader.bytes(Int(length)),
      (magic == RedoLog.magic ? checksum(payload, start, end) : formerChecksum(payload, start, end)) == sum
    else { return nil }
    return (start, end, payload)
  }

  /// A record that was cut off, or remains of an older one, must not count; nobody forges it. Of eight bytes at a time: each
  /// step is one to one, so that no two records differ in eight bytes only and have the same.
  private func checksum(_ payload: ArraySlice<UInt8>, _ start: Place, _ end: Place) -> UInt64 {
    var sum = 0xCBF2_9CE4_8422_2325 ^ seed
    func add(_ word: UInt64) {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 32
    }
    add(UInt64(bitPattern: start.rawValue))
    add(UInt64(bitPattern: end.rawValue))
    add(UInt64(payload.count))
    payload.withUnsafeBytes { bytes in
      var next = 0
      while next &+ 8 <= bytes.count {
        add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self)))
        next &+= 8
      }
      var last: UInt64 = 0
      for byte in bytes[next...] { last = last << 8 | UInt64(byte) }
      add(last)
    }
    return sum
  }

  /// The same of an older version: FNV-1a.
  private func formerChecksum(_ payload: ArraySlice<UInt8>, _ start: Place, _ end: Place) -> UInt64 {
    var sum = 0xCBF2_9CE4_8422_2325 ^ seed
    for place in [start, end] { sum = (sum ^ UInt64(bitPattern: place.rawValue)) &* 0x100_0000_01B3 }
    payload.withUnsafeBytes { bytes in
      for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return sum
  }
}
