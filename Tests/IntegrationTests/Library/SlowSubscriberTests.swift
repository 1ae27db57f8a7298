import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Slow subscribers (S28)", .blocking)
struct SlowSubscriberTests {
  @Test("17, S28: one that does not read costs nothing and delays nobody, and gets everything when it reads")
  func slow() throws {
    let count = 5000
    let host = try Host { try $0.makeAlbum("Trip") }
    // Those that do not read; enough of them to see what they cost.
    let idle = try (0..<60).map { _ in try host.owner().subscribe() }
    let reader = try host.owner().subscribe()
    let before = host.daemon.residentKilobytes
    for number in 0..<count { try host.library.add("Trip/p\(number).jpg") }
    let seen = try reader.collect(count)
    #expect(Set(seen.inserted.map(\.filename)).count == count)
    #expect(seen.changed == [])
    #expect(seen.moved == [])
    #expect(seen.removed == [])
    // 5,000 changes are over a megabyte of text for each of them, of which its socket takes a part.
    #expect(host.daemon.residentKilobytes - before < 40_000)
    try host.connect().roundTrip()

    for subscriber in idle.prefix(4) {
      let late = try subscriber.collect(count)
      #expect(late.inserted.map(\.id) == seen.inserted.map(\.id))
      #expect(subscriber.token == reader.token)
    }
    // All are together again.
    try host.library.add("last.jpg")
    for subscriber in idle.prefix(4) + [reader] {
      #expect(try subscriber.next().inserted.map(\.filename) == ["last.jpg"])
    }
  }

  @Test("S22, S28: a limited app that does not read goes on from its place, with what it saw there")
  func limited() throws {
    let count = 2000
    let host = try Host {
      try $0.add("one.jpg", Photo.jpeg("one"))
      for number in 0..<count { try $0.add("Trip/p\(number).jpg") }
    }
    let owner = try host.owner()
    let one = try owner.asset("one.jpg").id
    let trip = try owner.album("Trip").id
    let app = try host.app()
    try host.limit(try app.connect())
    let (slow, slower) = (try app.connect().subscribe(), try app.connect().subscribe())
    // More than its socket takes.
    try host.select(.add, albums: [trip])
    try host.library.add("Trip/later.jpg")
    let everyone = try owner.subscribe()
    try host.select(.add, assets: [one])
    let told = try slow.collect(count + 2)
    #expect(told.inserted.count == count + 2 && Set(told.inserted.map(\.id)).count == count + 2)
    #expect(told.inserted.suffix(2).map(\.filename) == ["later.jpg", "one.jpg"])

    // What it had not been told of yet is out of sight again: that cannot be told, and is not.
    try host.select(.remove, albums: [trip])
    #expect(try slow.collect(count + 1).removed.count == count + 1)
    var delivery = try slower.next()
    while delivery.hasIncrementalChanges { delivery = try slower.next() }
    #expect(delivery.isEmpty)
    // All see the same again.
    try host.library.add("one.jpg", Photo.jpeg("one, again"))
    #expect(try everyone.next().changed.map(\.id) == [one])
    for subscriber in [slow, slower] { #expect(try subscriber.next().changed.map(\.id) == [one]) }
  }

  @Test("S27, S28: one whose place is no longer in the journal is told so, once, and goes on from the end")
  func behindTheJournal() throws {
    let host = try Host {
      $0.options = ["journal: {keepChanges: 1000}"]
      try $0.makeAlbum("Trip")
    }
    let slow = try host.owner().subscribe()
    let reader = try host.owner().subscribe()
    /// One photo is one entry, and told before the next is there.
    func add(_ count: Int) throws {
      for _ in 0..<count {
        try host.library.add("Trip/\(UInt64.random(in: 0...UInt64.max)).jpg")
        _ = try reader.collect(1)
      }
    }
    // Far more than the slow one's socket takes.
    try add(900)
    let covered = reader.token
    // The journal is cut as it grows.
    func isCovered() throws -> Bool {
      do { _ = try host.owner().subscribe(since: covered) } catch let error as RemoteError {
        #expect(error.name == LibraryInterface.TokenExpired.name)
        return false
      }
      return true
    }
    for _ in 0..<40 {
      guard try isCovered() else { break }
      try add(100)
    }
    #expect(try !isCovered())

    var told = 0
    var delivery = try slow.next()
    while delivery.hasIncrementalChanges {
      told += delivery.inserted.count
      delivery = try slow.next()
    }
    #expect(told < 900 && delivery.isEmpty && delivery.token == reader.token)
    try host.library.add("last.jpg")
    let last = try slow.next()
    #expect(last.hasIncrementalChanges && last.inserted.map(\.filename) == ["last.jpg"])
  }

  @Test("S27: of a journal that is to keep ten changes, a place from before a few more is expired")
  func shortJournal() throws {
    let host = try Host {
      $0.options = ["journal: {keepChanges: 10}"]
      try $0.makeAlbum("Trip")
    }
    let reader = try host.owner().subscribe()
    let before = try host.owner().call(LibraryInterface.GetInfo.self, .init()).token
    var error: RemoteError?
    // Cut a moment after it has grown: hundreds of changes are far more than that takes.
    for number in 0..<400 where error == nil {
      try host.library.add("Trip/\(number).jpg", Photo.jpeg("\(number)"))
      _ = try reader.collect(1)
      if number < 10 { continue }
      do { _ = try host.owner().subscribe(since: before) } catch let failure as RemoteError {
        error = failure
      }
    }
    #expect(error?.name == LibraryInterface.TokenExpired.name)
    let now = try host.owner().call(LibraryInterface.GetInfo.self, .init()).token
    _ = try host.owner().subscribe(since: now)
  }
}
