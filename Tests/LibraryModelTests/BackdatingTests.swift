import LibraryModel
import Testing

@Suite("What came to be before its file says so")
struct BackdatingTests {
  @Test(
    "S72: an earlier time is kept through an edit, a later one changes nothing, and nobody takes it for content"
  )
  func earlier() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let location = try #require(library.location("a/1.jpg"))
    let known = try #require(library.asset("a/1.jpg"))
    try library.librarian.files.backdate(location, to: known.created + 1)
    #expect(library.asset("a/1.jpg")?.created == known.created)
    try library.librarian.files.backdate(location, to: known.created - 5)
    #expect(library.asset("a/1.jpg")?.created == known.created - 5)
    #expect(library.asset("a/1.jpg")?.modified == known.modified)
    library.disk.write("a/1.jpg", 20)
    try library.hint("a/1.jpg")
    let edited = try #require(library.asset("a/1.jpg"))
    #expect(edited.id == id && edited.byteCount == 20 && edited.created == known.created - 5)
    // Of a name that nothing is at, there is nothing to say.
    let other = try #require(library.location("a/2.jpg"))
    try library.librarian.files.backdate(other, to: 0)
  }
}
