import TestSupport
import Testing

@testable import LibraryModel

/// Where only a listing says how a name is spelled.
@Suite("Listings that many looks share")
struct SharedListingsTests {
  private static func location(_ directory: Int, _ name: Int) -> Location {
    Location(DirectoryID(rawValue: Int64(directory)), FileName("\(name).jpg"))
  }

  /// Looks at names, and counts how often a directory is listed for that.
  private struct Looker {
    var listings = SharedListings()
    var count = 0

    mutating func look(_ location: Location) {
      guard listings.names(for: location) == nil else { return }
      count += 1
      listings.add([location.name], of: location.directory)
    }
  }

  @Test("36: two thousand names in a hundred directories, one after the other, take a hundred listings")
  func burst() {
    var looker = Looker()
    for number in 0..<2000 { looker.look(Self.location(number % 100, number)) }
    #expect(looker.count == 100)
  }

  @Test(
    "36: what is told after a listing began is not taken from it; the next serves all that was told by then")
  func told() {
    var looker = Looker()
    looker.look(Self.location(1, 0))
    looker.look(Self.location(2, 0))
    for number in 0..<50 { looker.listings.noteTold(of: Self.location(1, number)) }
    #expect(looker.listings.names(for: Self.location(1, 7)) == nil)
    #expect(looker.listings.names(for: Self.location(1, 77)) != nil, "nothing was told of it")
    #expect(looker.listings.names(for: Self.location(2, 7)) != nil, "nor of what has its name elsewhere")
    for number in 0..<50 { looker.look(Self.location(1, number)) }
    #expect(looker.count == 3)
    looker.listings.noteTold(of: Self.location(1, 7))
    looker.look(Self.location(1, 7))
    #expect(looker.count == 4, "each time that it is told of")
  }

  @Test(
    "36: a directory that may be another one is listed anew, and all are where anything may have happened")
  func forgotten() {
    var looker = Looker()
    #expect(looker.listings.isEmpty)
    for directory in 1...2 { looker.look(Self.location(directory, 0)) }
    #expect(!looker.listings.isEmpty)
    looker.listings.forget(DirectoryID(rawValue: 1))
    for directory in 1...2 { looker.look(Self.location(directory, 0)) }
    #expect(looker.count == 3)
    looker.listings.removeAll()
    #expect(looker.listings.isEmpty)
  }

  @Test("36: listings are kept by how many names they hold, and a large one as well as many small ones")
  func bounds() {
    var listings = SharedListings(capacity: 100)
    func names(_ count: Int) -> Set<FileName> { Set((0..<count).map { FileName("\($0).jpg") }) }
    for directory in 0..<500 {
      listings.add(names(4), of: DirectoryID(rawValue: Int64(directory)))
      let kept = (0...directory).filter { listings.names(for: Self.location($0, 0)) != nil }
      #expect(kept.count <= 2 * 100 / 5)
      #expect(kept.suffix(20) == Array(max(0, directory - 19)...directory).suffix(20))
    }
    listings.add(names(1000), of: DirectoryID(rawValue: 1000))
    #expect(listings.names(for: Self.location(1000, 0))?.count == 1000)
    listings.add(names(1000), of: DirectoryID(rawValue: 1001))
    listings.add(names(1000), of: DirectoryID(rawValue: 1002))
    #expect(listings.names(for: Self.location(1000, 0)) == nil)
    // What is told and never looked at is not gathered either.
    for number in 0..<100 { listings.noteTold(of: Self.location(1002, number)) }
    #expect(listings.names(for: Self.location(1002, 1000)) != nil)
    listings.noteTold(of: Self.location(1002, 100))
    #expect(listings.names(for: Self.location(1002, 1000)) == nil)
  }

  @Test(
    "36: no name is ever looked at by a listing that is older than what was told of it", arguments: 0..<20)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var listings = SharedListings(capacity: 40)
    // When each directory was last listed, and each name told of; a listing has that time as its only name.
    var listed: [DirectoryID: Int] = [:]
    var told: [Location: Int] = [:]
    for time in 0..<4000 {
      let location = Self.location(
        Int.random(in: 0..<30, using: &random), Int.random(in: 0..<4, using: &random))
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<10:
        if let names = listings.names(for: location) {
          let began = listed[location.directory]
          #expect(names == [FileName("\(began ?? -1)")])
          #expect(told[location] ?? -1 < began ?? -1)
        } else {
          listings.add([FileName("\(time)")], of: location.directory)
          listed[location.directory] = time
        }
      case 10..<18:
        listings.noteTold(of: location)
        told[location] = time
      case 18: listings.forget(location.directory)
      default: if time % 50 == 0 { listings.removeAll() }
      }
    }
  }
}
