/// Bytes that grow at their end. An array asks for each byte whether somebody else holds it; this has one owner.
struct ByteBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 16)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { makeRoom(for: 1) }
    start[count] = byte
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    if capacity &- count < bytes.count { makeRoom(for: bytes.count) }
    (start + count).update(from: base, count: bytes.count)
    count &+= bytes.count
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends the name of an object's member, in quotes, with what separates it; room is made once.
  @inline(__always)
  mutating func append(member name: StaticString, isFirst: Bool) {
    let size = name.utf8CodeUnitCount
    if capacity &- count < size &+ 4 { makeRoom(for: size &+ 4) }
    var end = start + count
    if !isFirst {
      end[0] = UInt8(ascii: ",")
      end += 1
    }
    end[0] = UInt8(ascii: "\"")
    (end + 1).update(from: name.utf8Start, count: size)
    end += size &+ 1
    end[0] = UInt8(ascii: "\"")
    end[1] = UInt8(ascii: ":")
    count = end + 2 - start
  }

  /// Appends bytes and what stands before and after them, which is short; room is made once.
  @inline(__always)
  mutating func append(
    _ bytes: UnsafeBufferPointer<UInt8>, between before: StaticString, and after: StaticString
  ) {
    let whole = before.utf8CodeUnitCount &+ bytes.count &+ after.utf8CodeUnitCount
    if capacity &- count < whole { makeRoom(for: whole) }
    var end = start + count
    for index in 0..<before.utf8CodeUnitCount { end[index] = before.utf8Start[index] }
    end += before.utf8CodeUnitCount
    if let base = bytes.baseAddress { end.update(from: base, count: bytes.count) }
    end += bytes.count
    for index in 0..<after.utf8CodeUnitCount { end[index] = after.utf8Start[index] }
    count &+= whole
  }

  /// Appends what `write` puts into room for `most` bytes; it returns how many.
  @inline(__always)
  mutating func append(atMost most: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    if capacity &- count < most { makeRoom(for: most) }
    let written = write(UnsafeMutableBufferPointer(start: start + count, count: most))
    precondition(0...most ~= written)
    count &+= written
  }

  /// The same bytes as an array, which is what is sent.
  var array: [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }

  @inline(never)
  private mutating func makeRoom(for more: Int) {
    let larger = max(capacity * 2, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: start, count: count)
    start.deallocate()
    (start, capacity) = (moved, larger)
  }
}
