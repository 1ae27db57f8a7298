import AlbumAPI
import AlbumTerminal
import Varlink

/// What is shown by `albumctl`, and typed into it.
let terminalFuzzers = [
  Fuzzer("terminal", longest: 4096) { bytes in
    let bytes = Array(bytes)
    let keys = Key.keys(in: bytes)
    expect(keys.count <= bytes.count, "a key has a byte")
    _ = Key.isUnfinished(bytes)
    var reader = KeyReader()
    let halves = [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)]
    let input = halves.flatMap { reader.read(Array($0), expectsAnswers: true) }
    expect(input.count <= bytes.count, "nor has an answer none")
    _ = reader.isUnfinished(bytes, expectsAnswers: true)
    let text = String(decoding: bytes, as: UTF8.self)
    let safe = SafeText(text).description
    expect(safe.unicodeScalars.allSatisfy(isHarmless), "nothing moves the cursor")
    let json = JSON.string(text).description
    let shown = SafeText.json(json)
    expect(shown.unicodeScalars.allSatisfy(isHarmless), "nor does JSON")
    if !text.unicodeScalars.contains("\0") {
      expect((try? JSON(parsing: Array(shown.utf8))) == .string(text), "which says the same")
    }
    let quoted = Quoted(bytes).description
    expect(quoted.unicodeScalars.allSatisfy(isHarmless), "what is quoted ends no line")
    expect(quoted.utf8.count <= Quoted.byteLimit * 10 + 3, "and is short")
  },
  Fuzzer("pixmap", longest: 4096) { bytes in
    guard let pixmap = Pixmap(ppm: Array(bytes)) else { return }
    expect(pixmap.rgb.count == pixmap.width * pixmap.height * 3, "every pixel is there")
    expect(bytes.suffix(pixmap.rgb.count).elementsEqual(pixmap.rgb), "as it was")
    let header = "P6\n\(pixmap.width) \(pixmap.height)\n255\n"
    expect(bytes.prefix(bytes.count - pixmap.rgb.count).elementsEqual(header.utf8), "in one way alone")
  },
]

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator: false
  case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
  default: true
  }
}
