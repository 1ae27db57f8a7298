import Authorization
import Glibc
import Testing
import TestSupport

@testable import Storage

/// A state directory of its own, removed at the end.
final class StateDirectory {
  private let directory: TemporaryDirectory
  var path: String { directory.path }
  var names: [String] { directory.names }

  init() throws { directory = try TemporaryDirectory() }

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
    for name in names where !name.hasSuffix("-shm") && name != "backups" {
      try copy.write(name, try bytes(name))
    }
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

extension Registry {
  /// Returns when these are on disk.
  func apply(_ changes: [AuthorizationChange]) async throws(StorageError) {
    let result = await withCheckedContinuation { continuation in
      apply(changes) { continuation.resume(returning: $0) }
    }
    try result.get()
  }
}
