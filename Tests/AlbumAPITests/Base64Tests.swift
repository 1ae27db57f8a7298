import AlbumAPI
import Testing

@Suite("Bytes as text")
struct Base64Tests {
  @Test(
    "The vectors of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(bytes: String, text: String) {
    #expect(Base64.encode(Array(bytes.utf8)) == text)
    #expect(Base64.decode(text) == Array(bytes.utf8))
    #expect(Base64.length(of: bytes.utf8.count) == text.utf8.count)
  }

  @Test(
    "What no bytes have is refused",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zm9v\n", "Zm 9v", "Zm-_", "Zm9vZ", "Zg==Zm9v", "Zg=v",
      "Zh==",
      "Zm9=", "Zm9\u{e9}", "Zm9v\0",
    ])
  func refused(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test("Every byte, in every place")
  func everyByte() {
    for length in 0..<9 {
      for value in UInt8.min...UInt8.max {
        let bytes = (0..<length).map { value &+ UInt8(truncatingIfNeeded: $0 &* 37) }
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
      }
    }
  }
}
