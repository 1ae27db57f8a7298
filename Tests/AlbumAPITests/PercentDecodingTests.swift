import AlbumAPI
import Testing

@Suite struct PercentDecodingTests {
  @Test(
    "names without loss",
    arguments: [
      ("caf%E9%25.jpg", Array("caf".utf8) + [0xE9] + Array("%.jpg".utf8)), ("%ff%0A", [0xFF, 0x0A]),
      ("照", Array("照".utf8)), ("", []),
      ("100%", nil), ("%4", nil), ("%zz", nil), ("%+5", nil), ("%-0", nil), ("%%25", nil),
    ] as [(String, [UInt8]?)])
  func decoding(text: String, bytes: [UInt8]?) {
    #expect(text.percentDecoded == bytes)
  }
}
