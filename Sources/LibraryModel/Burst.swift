/// The burst that a photo is of, as the name says that its camera gave it (S100, docs/decisions/0120-bursts.md).
///
/// | name | whose |
/// |---|---|
/// | `00003IMG_00003_BURST20190817141236616_COVER.jpg`, `DSC_0003_BURST…` | Google's, Sony's, Nothing's |
/// | `IMG_20231014_183246_BURST001_COVER.jpg`, `IMG_20180411_195835602_BURST000_COVER_TOP.jpg` | Huawei's, Motorola's |
/// | `20151013_101112_Burst01.jpg` | Samsung's |
package struct Burst: Hashable, Sendable {
  /// What is the same in the names of all its photos: at most ``mostBytes`` letters and digits of ASCII, and `_`.
  package let identifier: String
  /// Whether its camera has chosen this one to stand for the others. Where it chooses none, that is the first.
  package let isRepresentative: Bool

  /// No identifier is longer: `IMG_20180411_195835602_BURST`.
  package static let mostBytes = 28

  /// The burst of a photo; nil for a video, and for what is called otherwise.
  ///
  /// Looks at the end of a long name only, unless that is one of a burst.
  package init?(of type: MediaType, named name: FileName) {
    guard type != .video, let burst = name.bytes.withUnsafeBytes({ Burst(photo: $0) }) else { return nil }
    self = burst
  }

  /// The same of the bytes of a photo's name.
  package init?(photo name: UnsafeRawBufferPointer) {
    var rest = NameEnd(stemOf: name)
    let isTopCover = rest.drop("_COVER_TOP")
    let isCover = isTopCover || rest.drop("_COVER")
    let digits = rest.dropDigits()
    // Nearly all names end here.
    let isLoud = rest.drop("_BURST")
    guard isLoud || rest.drop("_Burst") else { return nil }
    switch digits.count {
    case 13...17 where isLoud && !isTopCover:
      // What comes before that has the number in the burst.
      guard !rest.bytes.isEmpty, rest.bytes.allSatisfy(\.isOfWord) else { return nil }
      identifier = "BURST" + String(decoding: digits, as: UTF8.self)
      isRepresentative = isCover
    case 1...3 where isLoud:
      guard rest.isTimeStamp else { return nil }
      identifier = String(decoding: rest.bytes, as: UTF8.self) + "_BURST"
      isRepresentative = isCover
    case 1...3 where !isCover:
      guard rest.isTimeStamp else { return nil }
      identifier = String(decoding: rest.bytes, as: UTF8.self) + "_Burst"
      isRepresentative = Int(String(decoding: digits, as: UTF8.self)) == 1
    default: return nil
    }
  }
}

extension Asset {
  /// The burst that it is of.
  package var burst: Burst? { Burst(of: mediaType, named: filename) }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  /// Whether it is a letter or digit of ASCII, or `_`.
  fileprivate var isOfWord: Bool {
    isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_")
  }
}

/// What is left of a name that is read from its end: of each asset that is told, and mostly in vain.
private struct NameEnd {
  private let name: UnsafeRawBufferPointer
  private var end: Int

  /// What comes before the last dot.
  init(stemOf name: UnsafeRawBufferPointer) {
    self.name = name
    end = name.count
    while end > 0, name[end - 1] != UInt8(ascii: ".") { end -= 1 }
    end = end > 0 ? end - 1 : name.count
  }

  var bytes: Slice<UnsafeRawBufferPointer> { name[..<end] }

  /// Takes this off the end, if it is there.
  mutating func drop(_ ending: StaticString) -> Bool {
    let wanted = ending.bytes
    guard wanted.count <= end else { return false }
    let start = end - wanted.count
    var place = wanted.count
    while place > 0 {
      place -= 1
      guard name[start + place] == wanted[place] else { return false }
    }
    end = start
    return true
  }

  /// Takes digits off the end: 18 at most, which are more than any burst has.
  mutating func dropDigits() -> Slice<UnsafeRawBufferPointer> {
    let former = end
    while end > 0, former - end < 18, name[end - 1].isDigit { end -= 1 }
    return name[end..<former]
  }

  /// Whether it is a date and a time, as cameras write them in names.
  var isTimeStamp: Bool {
    let shapes: [StaticString] = [
      "00000000_000000", "00000000_000000000", "IMG_00000000_000000", "IMG_00000000_000000000",
      "IMG00000000000000",
    ]
    return shapes.contains { shape in
      bytes.elementsEqual(shape.bytes) { $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }
    }
  }
}

extension StaticString {
  fileprivate var bytes: UnsafeBufferPointer<UInt8> { .init(start: utf8Start, count: utf8CodeUnitCount) }
}
