import Foundation
import LibraryModel
import TestSupport
import Testing

@testable import Storage

@Suite("Previews on disk (S54)") struct PreviewStoreTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func store(limit: Int = 1 << 20, secret: String = "key") -> PreviewStore {
    PreviewStore(
      directory: "\(directory.path)/cache", secretFile: "\(directory.path)/\(secret)", limit: limit)
  }

  private func key(_ inode: UInt64, pixels: Int = 256, changed: Int64 = 0) -> PreviewKey {
    PreviewKey(
      identity: FileIdentity(volume: VolumeNumber(rawValue: 1), inode: inode, birthTime: 3), byteCount: 4,
      modified: 5, changed: changed, pixels: pixels, isSquare: false)
  }

  private func preview(_ size: Int = 1000, _ mark: UInt8 = 0) throws -> Preview {
    let bytes = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: mark, count: size - 3)
    return try #require(Preview(bytes: bytes, encoding: .jpeg, width: 256, height: 192))
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/cache")) ?? []
  }

  @Test("S54: what is kept is found again, also by another process, and under its own key only")
  func kept() throws {
    let preview = try preview()
    store().write(preview, key(1))
    let again = store()
    #expect(again.read(key(1)) == preview)
    #expect(again.read(key(2)) == nil)
    #expect(again.read(key(1, pixels: 512)) == nil)
    #expect(again.read(key(1, changed: 1)) == nil)
    #expect(
      try FileManager.default.attributesOfItem(atPath: "\(directory.path)/key")[.posixPermissions] as? Int
        == 0o600)
  }

  @Test(
    "S54: a file that is damaged in any byte, cut off, or of another's making is removed and not believed")
  func damaged() throws {
    let store = store()
    store.write(try preview(200), key(1))
    let path = URL(filePath: "\(directory.path)/cache/\(try #require(names.first))")
    let whole = try Data(contentsOf: path)
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x10
      try bytes.write(to: path)
      #expect(store.read(key(1)) == nil, "byte \(place)")
      #expect(names.isEmpty)
    }
    for count in [0, 1, 90, whole.count - 1] {
      try whole.prefix(count).write(to: path)
      #expect(store.read(key(1)) == nil)
    }
    // Whole, but by who has another secret.
    let other = self.store(secret: "other")
    other.write(try preview(200, 7), key(1))
    let theirs = URL(filePath: "\(directory.path)/cache/\(try #require(names.first))")
    try FileManager.default.moveItem(at: theirs, to: path)
    #expect(store.read(key(1)) == nil)
    // What belongs to another key.
    store.write(try preview(200, 1), key(2))
    let second = URL(filePath: "\(directory.path)/cache/\(try #require(names.first))")
    try FileManager.default.moveItem(at: second, to: path)
    #expect(store.read(key(1)) == nil)
    #expect(symlink("/etc/passwd", path.path()) == 0)
    #expect(store.read(key(1)) == nil)
  }

  @Test("S54: those used least leave when there are too many bytes")
  func eviction() throws {
    let store = store(limit: 20_000)
    for number in 0..<18 { store.write(try preview(1000), key(UInt64(number))) }
    // As if the first had been used today, and the others long ago.
    for name in names {
      let path = "\(directory.path)/cache/\(name)"
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: path)
    }
    #expect(store.read(key(0)) != nil)
    for number in 18..<30 { store.write(try preview(1000), key(UInt64(number))) }
    let total = try names.reduce(0) { total, name in
      total + (try Data(contentsOf: URL(filePath: "\(directory.path)/cache/\(name)")).count)
    }
    #expect(total <= 20_000)
    #expect(store.read(key(0)) != nil && store.read(key(29)) != nil)
    #expect((1..<18).count { store.read(key(UInt64($0))) != nil } < 10)
  }

  @Test("what leaves is the least used, until a tenth is free")
  func leaving() {
    let entries = (0..<10).map { PreviewEviction.Entry(name: "\($0)", byteCount: 10, used: Int64($0)) }
    #expect(PreviewEviction.leaving(entries, limit: 100).isEmpty)
    #expect(PreviewEviction.leaving(entries, limit: 99).map(\.name) == ["0", "1"])
    #expect(
      PreviewEviction.leaving(entries.reversed(), limit: 50).map(\.name) == ["0", "1", "2", "3", "4", "5"])
  }

  @Test("nothing is kept where nothing may be, and where there is no directory there is no harm")
  func nothing() throws {
    let none = store(limit: 0)
    none.write(try preview(), key(1))
    #expect(none.read(key(1)) == nil && names.isEmpty)
    let nowhere = PreviewStore(directory: "/nonexistent/a", secretFile: "/nonexistent/b", limit: 1 << 20)
    nowhere.write(try preview(), key(1))
    #expect(nowhere.read(key(1)) == nil)
  }

  @Test("a picture that does not begin as it is said to, or is too large, is none")
  func checked() {
    #expect(Preview(bytes: [1, 2, 3], encoding: .jpeg, width: 1, height: 1) == nil)
    #expect(Preview(bytes: [0xFF, 0xD8, 0xFF], encoding: .webp, width: 1, height: 1) == nil)
    #expect(Preview(bytes: [0xFF, 0xD8, 0xFF], encoding: .jpeg, width: 4097, height: 1) == nil)
    #expect(Preview(bytes: [0xFF, 0xD8, 0xFF], encoding: .jpeg, width: 1, height: 0) == nil)
  }

  /// The vectors of the paper's appendix.
  @Test("SipHash-2-4")
  func sipHash() {
    let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
    func tag(_ count: Int) -> UInt64 {
      (0..<UInt8(count)).map { $0 }.withUnsafeBytes { SipHash.tag(of: $0, key: key) }
    }
    #expect(tag(0) == 0x726f_db47_dd0e_0e31)
    #expect(tag(15) == 0xa129_ca61_49be_45e5)
  }
}
