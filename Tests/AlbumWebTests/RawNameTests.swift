import AlbumWeb
import LibraryModel
import Testing

@Suite("S63: RAW by its name, as the daemon sees it")
struct RawNameTests {
  @Test("S63: the same endings, in either case") func endings() {
    #expect(RawName.endings == Set(FileName.rawEndings))
    for ending in FileName.rawEndings {
      #expect(RawName.matches("a.\(ending)") && RawName.matches("IMG 1.\(ending.uppercased())"))
    }
  }

  @Test("S63: and no others", arguments: ["", "dng", ".dng", "a.dng.jpg", "a.jpg", "a.", "a.dng ", "a.xdng"])
  func others(_ name: String) { #expect(!RawName.matches(name)) }
}
