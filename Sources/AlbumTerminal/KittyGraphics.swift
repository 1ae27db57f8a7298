/// Pictures in terminals that speak kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol).
///
/// One picture at a time, under one id. The terminal is told to answer nothing (`q=2`): an answer would come among the
/// keys.
enum KittyGraphics {
  /// The picture's id.
  private static let id = 71

  /// The most bytes of base64 in one part, by the protocol.
  static let partLength = 4096

  /// Sends a picture's pixels (`f=24`), in parts; nothing is shown yet.
  static func transmit(_ pixmap: Pixmap) -> [UInt8] {
    let text = base64(pixmap.rgb)
    var out: [UInt8] = []
    out.reserveCapacity(text.count + text.count / 256 + 64)
    for start in stride(from: 0, to: text.count, by: partLength) {
      let end = min(start + partLength, text.count)
      let more = end < text.count ? 1 : 0
      let keys =
        start == 0
        ? "a=t,q=2,i=\(id),f=24,s=\(pixmap.width),v=\(pixmap.height),t=d,m=\(more)" : "q=2,m=\(more)"
      out += command(keys, text[start..<end])
    }
    return out
  }

  /// Shows it where the cursor stands, as large as fits: the other side follows by the picture's shape. The cursor stays.
  static func place(_ box: PictureBox, _ pixmap: Pixmap, _ cell: CellSize) -> [UInt8] {
    // Which of the two ends first.
    let isWide = pixmap.width * box.rows * cell.height >= pixmap.height * box.columns * cell.width
    let size = isWide ? "c=\(box.columns)" : "r=\(box.rows)"
    return command("a=p,q=2,i=\(id),p=1,C=1,\(size)", [])
  }

  /// Takes it away, and its pixels.
  static let delete = command("a=d,q=2,d=I,i=\(id)", [])

  /// Asks whether it is spoken, by a picture of one pixel that is looked at and not kept.
  static let question = command("i=\(questionID),s=1,v=1,a=q,t=d,f=24", Array("AAAA".utf8)[...])

  /// The id of the question's picture, which the answer names.
  static let questionID = 31

  private static func command(_ keys: String, _ payload: ArraySlice<UInt8>) -> [UInt8] {
    let content = payload.isEmpty ? [] : Array(";".utf8) + payload
    return Array("\u{1B}_G\(keys)".utf8) + content + Array("\u{1B}\\".utf8)
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var word = UInt32(bytes[start]) << 16
      if count > 1 { word |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { word |= UInt32(bytes[start + 2]) }
      for place in 0..<4 {
        out.append(
          place <= count ? digits[Int(word >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return out
  }
}
