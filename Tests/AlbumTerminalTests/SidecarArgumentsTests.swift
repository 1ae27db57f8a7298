import AlbumTerminal
import Testing

@Suite("Sidecars among the files of a command line")
struct SidecarArgumentsTests {
  @Test("S31: each goes with the photo that it names wholly, else with the first of its stem")
  func found() {
    let given = SidecarArguments([
      "a/1.jpg.xmp", "a/1.xmp", "a/1.dng", "a/1.jpg", "b/1.AAE", "b/1.mov", "c.d/e", "c.xmp", ".xmp", "x.thm",
    ])
    func found(_ file: String) -> [[String]]? { given.beside[file]?.map { [$0.path, $0.fileExtension] } }
    #expect(given.media == ["a/1.dng", "a/1.jpg", "b/1.mov", "c.d/e", ".xmp"])
    #expect(found("a/1.jpg") == [["a/1.jpg.xmp", "jpg.xmp"]])
    #expect(found("a/1.dng") == [["a/1.xmp", "xmp"]])
    #expect(found("b/1.mov") == [["b/1.AAE", "AAE"]])
    #expect(given.beside.count == 3 && given.alone == ["c.xmp", "x.thm"])
  }
}
