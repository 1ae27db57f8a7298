import Authorization
import TestSupport
import Testing

@Suite("Key files, and what a Flatpak says of itself")
struct KeyFileTests {
  private static let evil = """
    [Application]
    name=org.evil.App
    runtime=runtime/org.freedesktop.Platform/x86_64/23.08

    [Instance]
    instance-id=1

    [Environment]
    LC=%

    """

  private static func id(_ text: String) throws(UnidentifiedPeer) -> String {
    try FlatpakID.read(Array(text.utf8))
  }

  /// A file with something else as the value of its last key.
  private static func info(_ value: String) -> String {
    evil.split(separator: "%", omittingEmptySubsequences: false).joined(separator: value)
  }

  @Test("S36: the id is that of the one line that GLib reads it from")
  func plain() throws {
    #expect(try Self.id(Self.info("x")) == "org.evil.App")
    #expect(try Self.id("# c\n\n  [Application]  \t\n\tname \t= \torg.a.B") == "org.a.B")
    #expect(try Self.id("[Application]\r\nname=org.a.B\r\n") == "org.a.B")
    #expect(try Self.id("[Runtime]\nname=org.a.B\nname[de]=org.a.C\n") == "org.a.B")
    #expect(try Self.id("[X]\nname=org.a.C\n[Application]\nname=org.a.B\n") == "org.a.B")
  }

  @Test(
    "S36: what only Unicode takes for the end of a line ends none",
    arguments: ["\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}", "\r"])
  func noLineEnds(end: String) throws {
    #expect(
      try Self.id(Self.info("x\(end)[Application]\(end)name=org.victim.Gallery\(end)")) == "org.evil.App")
  }

  @Test(
    "S36: what could be read in two ways, or in none, is a refusal",
    arguments: [
      "", "name=org.a.B\n", "[Application]\n", "[Application]\nname=\n", "[Application]\nname\n",
      "[Application\nname=org.a.B\n", "[Application]x\nname=org.a.B\n", "[]\nname=org.a.B\n",
      "[Application]\nname=org.a.B\n[Application]\nname=org.b.C\n",
      "[Application]\nname=org.a.B\n[Application]\n", "[Application]\nname=org.a.B\nname=org.a.B\n",
      "[Application]\nname=org.a.B\n[Runtime]\nname=org.b.C\n", "[Application]\nname=org.a.B\r",
      "[Application]\nname=org.a.B \n", "[Application]\n=org.a.B\n",
      "[Application]\nEncoding=latin1\nname=org.a.B\n",
      "[Application]\nname=org.a.B\nx\u{0}=\n", "\u{301}[Application]\nname=org.a.B\n",
      "[\u{301}Application]\nname=org.a.B\n", "[Application]\nname\u{301}=org.a.B\n",
      "[Application]\nname=/usr/bin/gimp\n", "[Application]\nname=user/a.b.service\n",
      "[Application]\nname=org.a.B\\s\n", "[Application]\nname=a.b." + String(repeating: "c", count: 300),
      "[Application]\nname=org.a.B\nx[=1\n", "[Application]\nname=org.a.B\nx[d e]=1\n",
    ])
  func refused(text: String) {
    #expect(throws: UnidentifiedPeer.self) { try Self.id(text) }
  }

  @Test("S36: bytes that are not UTF-8, and files without an end, are refused")
  func unreadable() {
    let start = Array("[Application]\nname=org.a.B\n#".utf8)
    #expect(throws: UnidentifiedPeer.self) { try FlatpakID.read(start + [0xff]) }
    #expect(throws: Never.self) {
      try FlatpakID.read(start + [UInt8](repeating: 0x20, count: KeyFile.longest - start.count))
    }
    #expect(throws: UnidentifiedPeer.self) {
      try FlatpakID.read(start + [UInt8](repeating: 0x20, count: KeyFile.longest - start.count + 1))
    }
    let marks = String(repeating: "\u{301}\u{323}", count: 16000) + "=x\n[Application]\nname=org.evil.App\n"
    #expect(throws: UnidentifiedPeer.self) { try Self.id(marks) }
  }

  @Test("S36: whatever stands in the file, its id is a line of it, and is no id of another kind")
  func anyBytes() throws {
    var random = SeededGenerator(seed: 36)
    let pieces: [[UInt8]] = [
      "[Application]", "[Runtime]", "[X]", "name", "=", "\n", "\n", "\n", "\r", " ", "\t", "org.a.B", "a.b.c",
      "#",
      "[", "]", "\u{2028}", "\u{301}", "\u{85}", "\\s", "/", ".service", "name=org.a.B\n", "[Application]\n",
    ].map { Array($0.utf8) }
    var read = 0
    for _ in 0..<50_000 {
      var bytes = Bool.random(using: &random) ? Array("[Application]\n".utf8) : []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        if Int.random(in: 0..<20, using: &random) == 0 {
          bytes.append(UInt8.random(in: 0...255, using: &random))
        } else {
          bytes += pieces.randomElement(using: &random) ?? []
        }
      }
      guard let id = try? FlatpakID.read(bytes) else { continue }
      read += 1
      let named = bytes.split(separator: 0x0a).filter { line in
        let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
        func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
          String(decoding: bytes.filter { !" \t\r".utf8.contains($0) }, as: UTF8.self)
        }
        return parts.count == 2 && trimmed(parts[0]) == "name" && trimmed(parts[1]) == id
      }
      #expect(named.count >= 1, "\(bytes)")
      #expect(id.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "#") })
    }
    #expect(read > 100, "some files are right")
  }
}
