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
  }
]

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator: false
  case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
  default: true
  }
}
