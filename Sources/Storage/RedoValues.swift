/// The values of one run of a statement, as ``RedoRecorder`` writes them down: each is its index, its type, and what it is.
/// Before them is room for what says that it is a run, so that the whole entry is added at once.
///
/// In memory of its own: an array asks for each byte whether somebody else holds it, and whether somebody else changes it.
final class RedoValues {
  /// How many there are.
  private(set) var count: UInt8 = 0
  private var start = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
  private var capacity = 64
  private var end = RedoValues.headLength
  private static let headLength = 3

  deinit { start.deallocate() }

  /// What is written down of a run of the statement that a code stands for: 1, the code, how many values, the values.
  func entry(_ code: UInt8) -> UnsafeRawBufferPointer {
    start.storeBytes(of: 1, as: UInt8.self)
    start.storeBytes(of: code, toByteOffset: 1, as: UInt8.self)
    start.storeBytes(of: count, toByteOffset: 2, as: UInt8.self)
    return UnsafeRawBufferPointer(start: start, count: end)
  }

  /// NULL.
  func append(_ index: CInt) { _ = append(index, .null, room: 0) }

  /// An integer.
  func append(_ index: CInt, _ value: Int64) {
    append(index, .integer, room: 8).storeBytes(of: value.littleEndian, as: Int64.self)
  }

  /// A number with a fraction.
  func append(_ index: CInt, _ value: Double) {
    append(index, .real, room: 8).storeBytes(of: value.bitPattern.littleEndian, as: UInt64.self)
  }

  /// Bytes, or a text.
  func append(_ index: CInt, _ type: RedoRecorder.ValueType, _ bytes: UnsafeRawBufferPointer) {
    let place = append(index, type, room: 4 + bytes.count)
    place.storeBytes(of: UInt32(bytes.count).littleEndian, as: UInt32.self)
    if let base = bytes.baseAddress { (place + 4).copyMemory(from: base, byteCount: bytes.count) }
  }

  /// Forgets them.
  func removeAll() {
    count = 0
    end = Self.headLength
  }

  /// - Returns: where what it is goes.
  private func append(_ index: CInt, _ type: RedoRecorder.ValueType, room: Int) -> UnsafeMutableRawPointer {
    let (place, length) = (end, 2 + room)
    if capacity - place < length { makeRoom(for: length) }
    let value = start + place
    value.storeBytes(of: UInt8(truncatingIfNeeded: index), as: UInt8.self)
    value.storeBytes(of: type.rawValue, toByteOffset: 1, as: UInt8.self)
    end = place + length
    count += 1
    return value + 2
  }

  @inline(never)
  private func makeRoom(for more: Int) {
    let larger = max(capacity * 2, end + more)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    moved.copyMemory(from: start, byteCount: end)
    start.deallocate()
    (start, capacity) = (moved, larger)
  }
}
