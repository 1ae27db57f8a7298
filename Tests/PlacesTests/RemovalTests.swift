import Foundation
import PictureAPI
import TestSupport
import Testing

@testable import Places

/// Looks at bytes in memory as at a file.
func source(_ bytes: [UInt8]) -> PictureSource {
  PictureSource(count: bytes.count) { offset, memory in
    let count = min(memory.count, bytes.count - offset)
    guard count > 0 else { return 0 }
    bytes.withUnsafeBytes {
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
    }
    return count
  }
}

/// A file without its places; nil where they cannot be removed.
func removed(_ bytes: [UInt8]) -> [UInt8]? {
  guard let overwritings = try? PlaceFinder.overwritings(in: source(bytes)) else { return nil }
  var result = bytes
  for overwriting in overwritings {
    for place in overwriting.range { result[place] = overwriting.byte(at: place) }
  }
  return result
}

@Suite("Files without the place where they were taken", .blocking)
struct RemovalTests {
  private func without(_ name: String) throws -> (before: String, after: String) {
    let corpus = try PlacedCorpus.shared.get()
    let bytes = try corpus.bytes(name)
    let overwritings = try PlaceFinder.overwritings(in: source(bytes))
    #expect(!overwritings.isEmpty)
    let copy = try #require(removed(bytes))
    #expect(copy.count == bytes.count)
    let path = corpus.path("removed-\(name)")
    try Data(copy).write(to: URL(filePath: path))
    return (corpus.path(name), path)
  }

  @Test(
    "R8, S56: of no format do exiftool and exiv2 find a place; pixels, and what is no place, are as before",
    arguments: PlacedCorpus.pictures)
  func pictures(_ name: String) throws {
    let (before, after) = try without(name)
    let (had, has) = (try SaidTags(before), try SaidTags(after))
    #expect(!had.places.isEmpty)
    #expect(has.places == [])
    let packed = PlacedCorpus.packed[name] ?? []
    let others = had.others.filter { line in !packed.contains { line.hasPrefix($0) } }
    #expect(others == has.others)
    #expect(others.contains { $0.contains("kept") })
    if !PlacedCorpus.withoutPixels.contains(name) { #expect(try pixels(before) == pixels(after)) }
  }

  /// All of them; a RAW of ours is a TIFF, whatever its beginning makes of it.
  private func pixels(_ path: String) throws -> Data {
    guard PlacedCorpus.raw.contains(where: path.hasSuffix) else {
      return try run("convert", [path, "rgba:-"])
    }
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes.replaceSubrange(0..<4, with: Array("II*\0".utf8))
    let copy = "\(path).tif"
    try bytes.write(to: URL(filePath: copy))
    return try run("convert", [copy, "rgba:-"])
  }

  @Test(
    "R8, S56: films say no place; frames, and what is no place, are as before", arguments: PlacedCorpus.films)
  func films(_ name: String) throws {
    let (before, after) = try without(name)
    let (had, has) = (try SaidTags(before), try SaidTags(after))
    #expect(!had.places.isEmpty)
    #expect(has.places == [])
    #expect(had.others == has.others)
    func frames(_ path: String) throws -> Data {
      try run("ffmpeg", ["-loglevel", "error", "-i", path, "-f", "framemd5", "-"])
    }
    #expect(try frames(before) == frames(after))
  }

  @Test("S56: of a file that says no place nothing is overwritten")
  func nothingToRemove() throws {
    #expect(try PlaceFinder.overwritings(in: source(PlacedCorpus.shared.get().bytes("plain.jpg"))).isEmpty)
    let small: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0, 5, 0x61, 0x62, 0x63, 0xFF, 0xD9]
    #expect(try PlaceFinder.overwritings(in: source(small)).isEmpty)
  }

  @Test("S56: what is of another format, or cut off in its metadata, is not handed out")
  func untraceable() throws {
    let corpus = try PlacedCorpus.shared.get()
    let jpeg = try corpus.bytes("all.jpg")
    #expect(removed(Array(jpeg.prefix(400))) == nil)
    #expect(removed(Array("GIF89a".utf8)) == nil)
    #expect(removed([]) == nil)
    #expect(removed(Array("this is no picture".utf8)) == nil)
    #expect(removed(try Array(corpus.bytes("all.mov").dropLast(5))) == nil)
  }

  @Test(
    "S56: whatever damages a file, nothing is read outside of it, and what is overwritten is in it and in order"
  )
  func mutations() throws {
    let corpus = try PlacedCorpus.shared.get()
    var random = SeededGenerator(seed: 56)
    for name in PlacedCorpus.pictures + PlacedCorpus.films {
      let original = try corpus.bytes(name)
      // Metadata stands in front, or behind.
      let shown =
        original.count > 60_000 ? Array(original.prefix(30_000) + original.suffix(30_000)) : original
      for _ in 0..<25 {
        var bytes = shown
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          let place = Int.random(in: 0..<min(bytes.count, 6000), using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
          default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          }
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
          bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        }
        try check(bytes)
      }
    }
  }

  private func check(_ bytes: [UInt8]) throws {
    guard let overwritings = try? PlaceFinder.overwritings(in: source(bytes)) else { return }
    var end = 0
    for overwriting in overwritings {
      #expect(overwriting.range.lowerBound >= end && !overwriting.range.isEmpty)
      end = overwriting.range.upperBound
    }
    #expect(end <= bytes.count && overwritings.count <= FoundPlaces.most)
    #expect(removed(try #require(removed(bytes))) == removed(bytes), "looked at again there is nothing left")
  }
}
