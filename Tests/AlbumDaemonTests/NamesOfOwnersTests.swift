import LibraryModel
import Testing

@testable import AlbumDaemon

@Suite("What peers name is looked at as bytes")
struct NamesOfOwnersTests {
  @Test("S93: a smart album is named by its word, byte by byte")
  func smartAlbums() {
    for album in SmartAlbum.allCases {
      #expect(SmartAlbum(word: album.rawValue) == album)
      #expect(SmartAlbum(word: album.rawValue + "\u{301}") == nil)
      #expect(SmartAlbum(word: album.rawValue.uppercased()) == nil)
    }
    #expect(SmartAlbum(word: "") == nil)
  }

  @Test("S22: a text that can be no id is none, before it is compared with another")
  func ids() {
    #expect(IDTexts(["0a", "0a", "1b"])?.set == ["0a", "1b"])
    #expect(IDTexts([])?.set == [])
    #expect(IDTexts(["0a", "e\u{301}"]) == nil)
  }
}
