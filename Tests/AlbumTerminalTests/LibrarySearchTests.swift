import AlbumAPI
import Testing

@testable import AlbumTerminal

@Suite("What a person types to find photos")
struct LibrarySearchTests {
  @Test("words are parts of the name; keys and times are not")
  func words() {
    let search = LibrarySearch("sea  shore album:Trip album:\"Summer at the lake\" TYPE:video name:2024 x:y")
    #expect(search.name == "sea shore 2024 x:y")
    #expect(search.albumNames == ["Trip", "Summer at the lake"])
    #expect(search.mediaTypes == [.video])
    #expect(search.after == nil && search.before == nil)
    #expect(LibrarySearch("").isEmpty && LibrarySearch("  ").isEmpty)
  }

  @Test("keys and kinds have Chinese names as well, with the colon of either width")
  func chinese() {
    let search = LibrarySearch("相簿:夏天 类型：视频 類型:實況 名稱:海 照片: 类型")
    #expect(search.albumNames == ["夏天"] && search.mediaTypes == [.video, .livePhoto])
    #expect(search.name == "海 照片: 类型" && search.unknownType == nil)
    #expect(LibrarySearch("类型:树").unknownType == "树")
  }

  @Test(
    "a year, a month, a day, and spans of them",
    arguments: [
      ("2024", "2024-01-01 00:00", "2025-01-01 00:00"),
      ("2024-12", "2024-12-01 00:00", "2025-01-01 00:00"),
      ("2024-02-29", "2024-02-29 00:00", "2024-03-01 00:00"),
      ("2024-05..2024-08", "2024-05-01 00:00", "2024-09-01 00:00"),
      ("2023..2024-05-01", "2023-01-01 00:00", "2024-05-02 00:00"),
      ("2024-05..", "2024-05-01 00:00", nil),
      ("..2024-05", nil, "2024-06-01 00:00"),
      ("2024 2024-05", "2024-05-01 00:00", "2024-06-01 00:00"),
    ] as [(String, String?, String?)])
  func times(text: String, after: String?, before: String?) {
    let search = LibrarySearch(text)
    #expect(search.name == nil)
    #expect(search.after.map { LocalTime($0).description } == after)
    #expect(search.before.map { LocalTime($0).description } == before)
  }

  @Test(
    "what only looks like a time is a name",
    arguments: [
      "2024-13", "2024-5", "0000", "20240501", "2024-05-", "..", "1..2", "20२४", "2024-02-30", "2023-02-29",
      "2024-06-31",
    ])
  func names(_ text: String) {
    #expect(LibrarySearch(text).name == text)
  }
}
