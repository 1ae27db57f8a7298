import LibraryModel
import Testing

@Suite("S78: sidecars, without a disk")
struct SidecarTests {
  private func library(_ paths: String...) throws -> MemoryLibrary {
    let library = MemoryLibrary()
    for path in ["a", "b"] { library.disk.mkdir(path) }
    for path in paths { library.disk.write(path, 10) }
    try library.rescan()
    library.forget()
    return library
  }

  private func owner(_ path: String, _ library: MemoryLibrary) throws -> AssetID {
    let row = try #require(library.location(path).flatMap(library.index.link))
    #expect(row.resource == .sidecar)
    return row.asset
  }

  @Test(
    "S78: what is a sidecar, by its name",
    arguments: [
      ("1.xmp", true), ("1.XMP", true), ("1.jpg.Xmp", true), ("1.aae", true), ("1.THM", true),
      (".1.xmp", false),
      (".xmp", false), ("xmp", false), ("1.xmp~", false), ("1.xmpx", false), ("1.x\u{6d}p.tmp", false),
    ])
  func names(name: String, isSidecar: Bool) {
    #expect(FileName(name).isSidecar == isSidecar)
    #expect(!FileName(name).countsAsAsset)
  }

  /// The files of one stem, a sidecar beside them, and whose it is.
  private static let stems: [([String], String, String?)] = [
    (["1.jpg"], "1.xmp", "1.jpg"), (["1.jpg", "1.dng"], "1.xmp", "1.dng"),
    (["1.jpg", "1.CR2"], "1.jpg.xmp", "1.jpg"), (["1.jpg", "1.heic"], "1.AAE", "1.heic"),
    (["1.avi", "1.jpg"], "1.thm", "1.jpg"), (["1.avi"], "1.THM", "1.avi"),
    (["1.jpg", "1.mov"], "1.mov.xmp", "1.jpg"), (["1.jpg"], "1.JPG.xmp", nil), (["1.jpg"], "2.xmp", nil),
    (["img.jpg"], "IMG.xmp", nil),
  ]

  @Test(
    "S78: of several of one stem it belongs to the one that it names, else RAW, else the first photo, else the film",
    arguments: stems)
  func owners(files: [String], sidecar: String, owner: String?) throws {
    // Found together, in either order, or told one after the other in any.
    for names in [files + [sidecar], [sidecar] + files] {
      let library = try library()
      for name in names {
        library.disk.write("a/\(name)", 10)
        try library.hint("a/\(name)")
      }
      let expected = try owner.map { try #require(library.asset("a/\($0)")) }
      #expect(try self.owner("a/\(sidecar)", library) == expected?.id ?? .nobody)
      #expect(expected?.sidecars ?? 1 == 1)
      let journal = library.index.journal.count
      try library.rescan()
      #expect(library.index.journal.count == journal)
    }
  }

  @Test("S78: it is told as changed content when it comes, is written, is replaced, and goes; the id stays")
  func told() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.write("a/1.xmp", 5)
    try library.hint("a/1.xmp")
    #expect(library.told(id) == [.changed(content: true)] && library.asset("a/1.jpg")?.sidecars == 1)
    library.disk.write("a/1.xmp", 6)
    try library.hint("a/1.xmp")
    library.disk.write("a/.tmp", 7)
    library.disk.rename("a/.tmp", "a/1.xmp")
    try library.hint("a/1.xmp", .renamed)
    #expect(library.told(id) == .init(repeating: .changed(content: true), count: 3))
    library.disk.remove("a/1.xmp")
    try library.hint("a/1.xmp")
    #expect(library.told(id).count == 4 && library.asset("a/1.jpg")?.sidecars == 0)
    #expect(library.asset("a/1.jpg")?.id == id && library.index.assetCount == 1)
  }

  @Test("S78, S40: half a sidecar is not told")
  func halfWritten() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.written = ["a/1.xmp"]
    library.disk.write("a/1.xmp", 1)
    try library.hint("a/1.xmp", .made)
    #expect(library.told(id).isEmpty)
    library.disk.written = []
    library.disk.write("a/1.xmp", 20)
    try library.hint("a/1.xmp", .closed)
    #expect(library.told(id) == [.changed(content: true)])
  }

  @Test(
    "S78: it stays where it is when only its photo moves, and comes along when it is moved as well",
    arguments: [false, true])
  func moved(sidecarFirst: Bool) throws {
    let library = try library("a/1.jpg", "a/1.xmp")
    let id = try #require(library.asset("a/1.jpg")?.id)
    let steps = [("a/1.jpg", "b/2.jpg"), ("a/1.xmp", "b/2.xmp")]
    for (from, to) in sidecarFirst ? steps.reversed() : steps {
      library.disk.rename(from, to)
      try library.moved(from, to)
      #expect(library.index.assets[id]?.sidecars == (from == (sidecarFirst ? "a/1.jpg" : "a/1.xmp") ? 1 : 0))
    }
    #expect(library.asset("b/2.jpg")?.id == id)
    #expect(try owner("b/2.xmp", library) == id)
  }

  @Test("S78: a photo that comes beside a sidecar is told with it, once")
  func photoLater() throws {
    let library = try library("a/1.jpg.xmp")
    #expect(library.index.assetCount == 0)
    #expect(try owner("a/1.jpg.xmp", library) == .nobody)
    library.disk.write("a/1.jpg", 10)
    try library.hint("a/1.jpg")
    let photo = try #require(library.asset("a/1.jpg"))
    #expect(photo.sidecars == 1 && library.told(photo.id) == [.inserted])
  }

  @Test("S78: when RAW goes that is no part of a photo, its sidecar is the film's; both are told")
  func handedOn() throws {
    let library = try library("a/1.dng", "a/1.avi", "a/1.xmp")
    let (raw, film) = (library.asset("a/1.dng")?.id, library.asset("a/1.avi")?.id)
    #expect(try owner("a/1.xmp", library) == raw)
    library.disk.remove("a/1.dng")
    try library.hint("a/1.dng")
    #expect(try owner("a/1.xmp", library) == film)
    #expect(library.told(film) == [.changed(content: true)] && library.told(raw) == [.removed])
  }

  @Test("S78, S16: what an app adds takes no sidecar that is there, and nobody takes those that it brings")
  func free() throws {
    let library = try library("a/1.xmp", "a/2.jpg.xmp", "a/3.jpg", "a/5.dng", "a/5.xmp", "a/6.jpg", "a/6.xmp")
    func areFree(_ paths: [String]) throws -> Bool {
      try library.librarian.areFree(paths.map { try #require(library.location($0)) })
    }
    for taken in [
      ["a/1.jpg"], ["a/1.dng"], ["a/2.jpg"], ["a/3.jpg"], ["a/6.dng"], ["a/6.bmp"], ["a/3.png", "a/3.xmp"],
      ["a/3.mov", "a/3.xmp"], ["a/5.jpg", "a/5.xmp"], ["a/4.jpg", "a/7.xmp"], ["a/4.jpg", "a/2.jpg.xmp"],
      ["a/5.jpg"], ["a/5.jpg", "a/5.jpg.xmp"], ["a/3.dng", "a/3.xmp"],
    ] { #expect(try !areFree(taken), "\(taken)") }
    for free in [
      ["a/2.dng"], ["a/4.jpg"], ["b/1.jpg"], ["a/6.png"], ["a/5.nef", "a/5.nef.xmp"],
      ["a/4.jpg", "a/4.xmp", "a/4.jpg.AAE"], ["a/4.jpg", "a/4.dng", "a/4.dng.xmp", "a/4.xmp"],
      ["a/3.bmp", "a/3.xmp"],
      ["a/4.jpg", "a/4.mov", "a/4.mov.xmp", "a/4.xmp"],
    ] { #expect(try areFree(free), "\(free)") }
  }
}
