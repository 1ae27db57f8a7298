import AlbumAPI
import Glibc
import Testing
import Varlink

@Suite("Slow subscribers (S28)", .blocking)
struct SlowSubscriberTests {
  @Test("S28: one that does not read costs nothing and delays nobody, and gets everything when it reads")
  func slow() throws {
    let count = 5000
    let host = try Host { try $0.makeAlbum("Trip") }
    // Those that never read; enough of them to see what they cost.
    let idle = try (0..<8).map { _ in try host.owner().subscribe() }
    let reader = try host.owner().subscribe()
    let before = host.daemon.residentKilobytes
    for number in 0..<count { try host.library.add("Trip/p\(number).jpg") }
    let seen = try reader.collect(count)
    #expect(Set(seen.inserted.map(\.filename)).count == count)
    #expect(seen.changed == [])
    #expect(seen.moved == [])
    #expect(seen.removed == [])
    // 5,000 changes are over a megabyte of text for each.
    #expect(host.daemon.residentKilobytes - before < 40_000)
    try host.connect().roundTrip()

    for subscriber in idle {
      let late = try subscriber.collect(count)
      #expect(late.inserted.map(\.id) == seen.inserted.map(\.id))
      #expect(subscriber.token == reader.token)
    }
    // All are together again.
    try host.library.add("last.jpg")
    for subscriber in idle + [reader] {
      #expect(try subscriber.next().inserted.map(\.filename) == ["last.jpg"])
    }
  }
}
