import Foundation
import Glibc
import PictureAPI
import TestSupport
import Testing
import VarlinkTransport

/// `DAMAGED=100000` reads so many instead, of another seed each time (docs/decisions/0088-damaged-pictures.md).
@Suite("Damaged pictures and films", .blocking, .timeLimit(.minutes(240))) struct DamageTests {
  private static let usual = 1000
  private static let count = Damage.count(else: usual)

  @Test("R7, R8: each costs its own reading at most, and what is handed out without a place says none")
  func damaged() throws {
    let corpus = try Corpus.shared.get()
    let names = corpus.directory.names.filter { !$0.hasPrefix("cut-") }
    let originals = try names.map { [UInt8](try Data(contentsOf: URL(filePath: corpus.path($0)))) }
    let seed = Damage.seed
    var random = SeededGenerator(seed: seed)
    var reader = try Reader()
    var (ended, placed, cleared) = (0, 0, 0)
    for number in 0..<Self.count {
      let which = number % names.count
      let bytes = Damage.damaged(originals[which], using: &random)
      do {
        let place = try reader.describe(bytes)?.place
        if place != nil { placed += 1 }
        guard let overwritings = try reader.findPlaces(bytes) else { continue }
        let left = try overwritings.isEmpty ? place : reader.describe(overwritten(bytes, overwritings))?.place
        if !overwritings.isEmpty { cleared += 1 }
        #expect(left == nil, "\(names[which]), number \(number) of seed \(seed)")
      } catch ConnectionError.closed {
        // It has died of it, or was ended; the next one reads on.
        ended += 1
        reader = try Reader()
      }
    }
    #expect(try reader.describe(corpus.path("plain.jpg"))?.pixelWidth == 640)
    // Otherwise nothing was tried.
    #expect(placed > Self.count / 20 && cleared > Self.count / 20 && ended <= Self.count / 20)
    if Self.count > Self.usual {
      print("\(Self.count) damaged files, seed \(seed): \(ended) ended their reader")
    }
  }

  private func overwritten(_ bytes: [UInt8], _ overwritings: [Overwriting]) -> [UInt8] {
    var copy = bytes
    for overwriting in overwritings {
      for place in overwriting.range { copy[place] = overwriting.byte(at: place) }
    }
    return copy
  }
}
