import Digests
import Testing

@testable import AlbumWeb

@Suite("Who connects to the page")
struct ConnectionTests {
  private typealias Slots = ConnectionSlots<Int, UInt32>

  @Test("S61: no user uses up all connections, and all of them are bounded")
  func slots() {
    var slots = Slots()
    #expect(taken(0..<Slots.userLimit + 1, 1000, &slots) == Slots.userLimit)
    let left = Slots.limit - Slots.userLimit
    #expect(taken(1000..<1000 + left + 1, 33, &slots) == left)
    #expect(taken(2000..<2001, 0, &slots) == 0)
    slots.giveBack(0)
    #expect(taken(2000..<2002, 0, &slots) == 1)
    #expect(taken(3000..<3001, 1000, &slots) == 0)
  }

  @Test("S61: who has shown no session leaves for who comes later, the oldest first; who has shown one stays")
  func unknown() {
    var slots = Slots()
    for id in 0..<Slots.userLimit { #expect(slots.take(id, 7) == .taken) }
    slots.know(0)
    slots.know(2)
    #expect(slots.take(1000, 7) == .insteadOf(1))
    #expect(slots.take(1001, 7) == .insteadOf(3))
    // One that has left for another is not given back a second time.
    slots.giveBack(1)
    #expect(slots.take(1002, 7) == .insteadOf(4))
    // Another user's are not taken.
    for id in 5000..<5000 + Slots.limit - Slots.userLimit { #expect(slots.take(id, 8) == .taken) }
    #expect(slots.take(6001, 8) == .insteadOf(5000))
    // Where all places are taken, those of whoever has most that have shown none.
    #expect(slots.take(6000, 9) == .insteadOf(5))
    for id in 0..<7000 { slots.know(id) }
    #expect(slots.take(7000, 10) == .none)
  }

  @Test("S61: what nobody took cannot be given back")
  func returned() {
    var slots = Slots()
    slots.giveBack(7)
    slots.know(7)
    #expect(taken(0..<Slots.userLimit + 1, 7, &slots) == Slots.userLimit)
  }

  /// How many of so many a user is given that have shown a session.
  private func taken(_ ids: Range<Int>, _ user: UInt32, _ slots: inout Slots) -> Int {
    ids.count { id in
      defer { slots.know(id) }
      return slots.take(id, user) == .taken
    }
  }

  private let ends = (from: "0100007F:E46E", to: "0100007F:8327")

  private func row(_ state: String, uid: Int, inode: Int) -> String {
    "   2: 0100007F:E46E 0100007F:8327 \(state) 00000001:00000000 01:00000014 00000000 \(uid)   0 \(inode) 2 00000000 20"
  }

  @Test("S61: the kernel's table tells whose socket is at the other end")
  func owner() {
    #expect(SocketTable.owner(row("01", uid: 1000, inode: 191_571), from: ends.from, to: ends.to) == 1000)
    #expect(SocketTable.owner(row("01", uid: 1000, inode: 191_571), from: ends.to, to: ends.from) == nil)
    #expect(SocketTable.owner("  sl  local_address rem_address   st", from: ends.from, to: ends.to) == nil)
  }

  @Test("S61: a socket that its process has closed is nobody's, though the kernel calls it root's")
  func closed() {
    #expect(SocketTable.owner(row("04", uid: 0, inode: 0), from: ends.from, to: ends.to) == nil)
    #expect(SocketTable.owner(row("04", uid: 0, inode: 7), from: ends.from, to: ends.to) == 0)
  }

  @Test(
    "S61: digests are those of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func digest(_ text: String, _ expected: String) {
    let hexadecimal = SHA256.digest(text.utf8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(hexadecimal.joined() == expected)
  }

  @Test("S61: digests of every length around a block's", arguments: [55, 56, 63, 64, 119, 120, 1000])
  func lengths(_ count: Int) {
    // Of as many a's, as sha256sum(1) has them.
    let expected = [
      55: "9f4390f8d30c2dd9",
      56: "b35439a4ac6f0948",
      63: "7d3e74a05d7db15b",
      64: "ffe054fe7ae0cb6d",
      119: "31eba51c313a5c08",
      120: "2f3d335432c70b58",
      1000: "41edece42d63e8d9",
    ]
    let bytes = SHA256.digest(repeatElement(UInt8(ascii: "a"), count: count))
    #expect(bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected[count])
  }

  @Test("S61: what follows from a secret is a secret of its own for each purpose")
  func derived() {
    var source = SystemRandomNumberGenerator()
    let secret = Secret(using: &source)
    #expect(secret.derived(for: "token") == secret.derived(for: "token"))
    #expect(secret.derived(for: "token") != secret.derived(for: "kept"))
    #expect(Secret(secret.derived(for: "token").text) != nil)
    #expect(Secret(using: &source).derived(for: "token") != secret.derived(for: "token"))
  }
}
