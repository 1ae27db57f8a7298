import AlbumAPI
import Testing

@Suite("Times on the wire")
struct InstantTests {
  @Test(
    "RFC 3339, in UTC",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799_000_000),
      ("2026-11-21T12:00:00.123456Z", 1_795_262_400_123_456), ("1969-12-31T23:59:59.999999Z", -1),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
    ])
  func both(_ text: String, _ microseconds: Int64) {
    #expect(Instant(text)?.microseconds == microseconds)
    #expect(Instant(microseconds: microseconds).description == text)
  }

  @Test("the ends of time have a text as well")
  func ends() {
    #expect(Instant(microseconds: .max).description == "294247-01-10T04:00:54.775807Z")
    #expect(Instant(microseconds: .min).description == "-290308-12-21T19:59:05.224192Z")
  }

  @Test("offsets, fractions of any length, dates alone")
  func reading() {
    #expect(Instant("2026-11-21T13:30:00+01:30") == Instant("2026-11-21T12:00:00Z"))
    #expect(Instant("2026-11-21t12:00:00.1234567890z")?.microseconds == 1_795_262_400_123_456)
    #expect(Instant("2026-11-21 12:00:00.1-00:00")?.microseconds == 1_795_262_400_100_000)
    #expect(Instant("2026-11-21") == Instant("2026-11-21T00:00:00Z"))
  }

  @Test(
    "what is no time is refused",
    arguments: [
      "", "2026", "2026-13-01", "2026-02-30", "2026-11-21T", "2026-11-21T12:00", "2026-11-21T12:00:00",
      "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:00:00.Z", "2026-11-21T12:00:00Zx",
      "2026-11-21T12:00:00+1:00", "+026-11-21T12:00:00Z", "２026-11-21",
      "2026-02-29", "1900-02-29", "2024-02-30", "2026-04-31", "2026-12-32", "2026-01-00", "2026-00-01",
    ])
  func refused(_ text: String) {
    #expect(Instant(text) == nil)
  }

  @Test("every day of four centuries comes back")
  func calendar() {
    for day in stride(from: Int64(-80_000), to: 80_000, by: 1) {
      let instant = Instant(microseconds: day * 86_400_000_000)
      #expect(Instant(instant.description) == instant)
    }
  }
}
