internal import PictureAPI

/// Places in makers' notes, where it is known how they are built: what cameras with a map or a barometer write, and the city that a
/// camera's clock goes by.
///
/// Source: what exiftool and libexiv2 read; their makers have published nothing.
extension TIFFPlaces {
  /// Panasonic's names of a location, a country, a state, a city and a landmark, and of a town; and how high it was, as pressure.
  private static let panasonic: Set = [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80, panasonicPressure]
  private static let panasonicPressure = 0x86
  /// Nikon's: the code of a country and what is there, and how high it is.
  private static let nikon: Set = [0x39, 0xC3]
  /// What Nikon Capture has put there: how a picture was edited, and its IPTC once more.
  private static let nikonCapture: Set = [0x0E01]
  /// Casio's city of home.
  private static let casio: Set = [0x3006]
  /// Pentax's codes of cities, at home and away, and both in one.
  private static let pentax: Set = [0x23, 0x24, 0x6B]
  /// The same as letters, in notes without a name: Pentax's first.
  private static let earlyPentax: Set = [0x1000, 0x1001]
  /// Samsung's names of a place, and what is of GPS beside them.
  private static let samsung: Set = [0x2F, 0x30, 0x31, 0x32, 0x33, 0x34]
  /// Canon's clock: its own length, the offset, the city, whether it is summer.
  private static let canon = 0x35

  /// Looks at a note as the entry of a directory has it.
  func lookAtMakerNote(_ entry: Entry, _ found: inout FoundPlaces) throws(Untraceable) {
    let note = view[entry.value]
    if let start = try start(
      of: entry, after: ["Panasonic\0": 12, "LEICA\0\0\0": 8, "LEICA CAMERA AG\0": 18])
    {
      return try eraseTexts(Self.panasonic, in: start, of: entry, &found)
    }
    if let start = try start(of: entry, after: ["QVC\0": 6, "DCI\0": 6]) {
      for isBig in [true, false] {
        let reader = TIFFPlaces(view: view, isBig: isBig, depth: depth)
        if try reader.isDirectory(at: start) {
          try reader.eraseTexts(Self.casio, in: start, of: entry, &found)
        }
      }
      return
    }
    if let start = try start(of: entry, after: ["Nikon\0": 10]) {
      guard start < entry.value.upperBound else { return }
      for value in try Self.values(of: Self.nikon, in: view[start..<entry.value.upperBound]) {
        try erase(value.lowerBound + start..<value.upperBound + start, &found, of: entry)
      }
      for value in try Self.values(of: Self.nikonCapture, in: view.from(start)) {
        let content = view.from(start)[value]
        if try IPTCPlaces.areThere(in: content.bytes()) { try found.empty(content) }
      }
      return
    }
    for (name, isOwn, length) in Self.olympus where try note.has(name) {
      let base = isOwn ? entry.value.lowerBound : 0
      return try forgetHeight(
        of: entry, countingFrom: base, at: entry.value.lowerBound + length - base, &found)
    }
    if let start = try start(of: entry, after: ["AOC\0": 6, "PENTAX \0": 10, "RICOH\0": 8]) {
      return try forgetCities(in: start, &found)
    }
    try lookAtBare(entry, &found)
    let text = try note.start(32)
    if !text.isEmpty, text.allSatisfy({ (0x20...0x7E).contains($0) || [9, 10, 13].contains($0) }),
      Marks.sayCoordinates(try note.bytes())
    {
      try found.empty(note)
    }
  }

  /// How Olympus's notes begin, whether they count from there, and where their directory is.
  private static let olympus = [
    ("OLYMPUS\0", true, 12), ("OM SYSTEM\0", true, 16), ("OLYMP\0", false, 8), ("EPSON\0", false, 8),
  ]
  /// Olympus's directory of how the camera was set; in it, how high it was, as pressure and in metres and feet.
  private static let olympusSettings = 0x2020, olympusHeights: Set = [0x0900, 0x0901]

  /// What Olympus's cameras with a barometer have measured.
  private func forgetHeight(
    of note: Entry, countingFrom start: Int, at directory: Int, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    let base = view.from(start)
    for isBig in [true, false] {
      let reader = TIFFPlaces(view: base, isBig: isBig, depth: depth)
      guard try reader.isDirectory(at: directory) else { continue }
      for settings in try reader.entries(of: directory) where settings.tag == Self.olympusSettings {
        // The value itself, or where it is.
        let isPointer = settings.size == 4 && settings.value.count == 4
        let place =
          isPointer
          ? try base.number(at: settings.value.lowerBound, 4, isBig: isBig) : settings.value.lowerBound
        guard try reader.isDirectory(at: place) else { continue }
        for value in try reader.entries(of: place) where Self.olympusHeights.contains(value.tag) {
          try erase(value.value.lowerBound + start..<value.value.upperBound + start, &found, of: note)
        }
      }
    }
  }

  /// Where the directory begins of a note that begins so, by how far that is.
  private func start(of note: Entry, after headers: [String: Int]) throws(Untraceable) -> Int? {
    for (header, length) in headers {
      if try view[note.value].has(header) { return note.value.lowerBound + length }
    }
    return nil
  }

  /// In a DNG, what its camera or the program that converted it put aside: a note once more.
  func lookAtOwn(_ entry: Entry, _ found: inout FoundPlaces) throws(Untraceable) {
    let content = view[entry.value]
    if try content.has("Adobe\0") { return try found.empty(content) }
    if try start(of: entry, after: ["PENTAX \0": 0, "AOC\0": 0]) != nil {
      try lookAtNote(entry, &found)
    }
  }

  /// Notes without a name that begin with their directory: Canon's, Samsung's, and Pentax's first.
  private func lookAtBare(_ entry: Entry, _ found: inout FoundPlaces) throws(Untraceable) {
    let note = view[entry.value]
    for isBig in [true, false] {
      let whole = TIFFPlaces(view: view, isBig: isBig, depth: depth)
      guard try whole.isDirectory(at: entry.value.lowerBound) else { continue }
      for value in try whole.entries(of: entry.value.lowerBound) {
        if Self.earlyPentax.contains(value.tag), value.size == 1, value.count == 4 {
          try found.empty(view[value.value])
        }
        if value.tag == Self.canon, value.size == 4, value.count >= 4 {
          try whole.forgetCity(ofClock: value, &found)
        }
      }
      guard try note.has("0100", at: 10) else { continue }
      // Some count from the file's start, some from their own.
      try whole.eraseTexts(Self.samsung, in: entry.value.lowerBound, of: entry, mayLieElsewhere: true, &found)
      let own = TIFFPlaces(view: note, isBig: isBig, depth: depth)
      for value in try own.entries(of: 0) where Self.samsung.contains(value.tag) {
        try found.empty(note[value.value])
      }
    }
  }

  /// Canon's clock begins with its own length. Where it does not, a program has moved the note, and some readers still find it.
  private func forgetCity(ofClock clock: Entry, _ found: inout FoundPlaces) throws(Untraceable) {
    guard clock.value.count >= 16,
      try view.number(at: clock.value.lowerBound, 4, isBig: isBig) == clock.value.count
    else { throw Untraceable() }
    let city = clock.value.lowerBound + 8
    try found.empty(view[city..<city + 4])
  }

  /// Whether a directory may be there: some entries of known types.
  private func isDirectory(at start: Int) throws(Untraceable) -> Bool {
    guard view.count - start >= 14 else { return false }
    let count = try view.number(at: start, 2, isBig: isBig)
    let type = try view.number(at: start + 4, 2, isBig: isBig)
    return (1...512).contains(count) && (1...13).contains(type)
  }

  /// Values by their tags, in a directory of the whole.
  private func eraseTexts(
    _ tags: Set<Int>, in directory: Int, of note: Entry, mayLieElsewhere: Bool = false,
    _ found: inout FoundPlaces
  ) throws(Untraceable) {
    for value in try entries(of: directory) where tags.contains(value.tag) {
      // Cameras without a barometer say so.
      if value.tag == Self.panasonicPressure, try view[value.value].bytes().allSatisfy({ $0 == 0xFF }) {
        continue
      }
      let isWithin =
        note.value.lowerBound <= value.value.lowerBound && value.value.upperBound <= note.value.upperBound
      if isWithin || !mayLieElsewhere { try erase(value.value, &found, of: note) }
    }
  }

  /// Codes of cities: of which each number is one, so that the entry goes.
  private func forgetCities(in start: Int, _ found: inout FoundPlaces) throws(Untraceable) {
    for isBig in [true, false] {
      let reader = TIFFPlaces(view: view, isBig: isBig, depth: depth)
      guard try reader.isDirectory(at: start) else { continue }
      for value in try reader.entries(of: start) where Self.pentax.contains(value.tag) {
        try found.add(value.offset..<value.offset + 12, of: view, .bytes(reader.nothing))
      }
    }
  }

  /// A name that says something becomes none: cameras without a map write zeros, blanks or strokes.
  private func erase(
    _ value: Range<Int>, _ found: inout FoundPlaces, of note: Entry
  ) throws(Untraceable) {
    guard try view[value].bytes().contains(where: { ![0, 0x20, 0x2D].contains($0) }) else { return }
    // Where programs have moved the note, nobody knows where its values are now, and whose these are.
    guard note.value.lowerBound <= value.lowerBound, value.upperBound <= note.value.upperBound else {
      throw Untraceable()
    }
    try found.add(value, of: view, .zeros)
  }
}
