import Glibc
import Testing

@testable import Storage

/// A state directory of its own, removed at the end.
final class StateDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/albumd-state-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var names: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func bytes(_ name: String) throws -> [UInt8] {
    let stream = try #require(fopen("\(path)/\(name)", "r"), "\(name)")
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, stream)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let stream = try #require(fopen("\(path)/\(name)", "w"))
    defer { fclose(stream) }
    #expect(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
  }

  /// What a kill would leave at this moment.
  func copy() throws -> StateDirectory {
    let copy = try StateDirectory()
    for name in names where !name.hasSuffix("-shm") { try copy.write(name, try bytes(name)) }
    return copy
  }

  func open() throws(StorageError) -> Registry { try Registry(directory: path) }

  func failure() -> StorageError? {
    do throws(StorageError) {
      _ = try open()
      return nil
    } catch {
      return error
    }
  }
}

/// SplitMix64: the same sequence for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
