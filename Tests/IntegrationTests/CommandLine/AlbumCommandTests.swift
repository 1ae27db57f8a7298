import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("albumctl album, and albums in other commands", .blocking)
struct AlbumCommandTests {
  private func host() throws -> Host {
    let host = try Host {
      try $0.add("A/one.jpg", Photo.jpeg("one"))
      try $0.add("A/two.jpg", Photo.jpeg("two"))
      try $0.makeAlbum("B")
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  @Test("S19: album create prints the new album's id; a title that exists gets a number")
  func creates() throws {
    let host = try host()
    let made = try host.albumctl("album", "create", "Trip", as: .wallpapers)
    let trip = try host.owner().album("Trip")
    #expect(made.status == 0 && made.lines == ["\(trip.id)  Trip"])
    let again = try host.albumctl("album", "create", "Trip", "--json", as: .wallpapers)
    let second = try again.object(LibraryInterface.Album.self)
    #expect(again.status == 0 && second.title == "Trip (2)" && second.createdByCaller)
    let inner = try host.albumctl("album", "create", "Day 1", "--parent", trip.id, "--owner")
    #expect(inner.status == 0)
    #expect(try host.owner().album("Day 1").parent == trip.id)
    let listed = try host.albumctl("albums", "--parent", trip.id, as: .wallpapers)
    #expect(listed.status == 0 && listed.output.contains("Day 1") && !listed.output.contains("Trip"))
  }

  @Test("album create refuses what is no title, and explains it; a parent that does not exist is named")
  func notCreated() throws {
    let host = try host()
    let path = try host.albumctl("album", "create", "x/y", as: .wallpapers)
    #expect(path.status == 1 && path.output.contains("The title “x/y” is none for an album"))
    let parent = try host.albumctl("album", "create", "x", "--parent", "nowhere", as: .wallpapers)
    #expect(parent.status == 1 && parent.output.contains("There is no album nowhere"))
    #expect(try host.owner().albums().map(\.title) == ["A", "B"])
  }

  @Test("S75: album rename and album move print the album; what cannot be is explained")
  func moves() throws {
    let host = try host()
    let owner = try host.owner()
    let (a, b) = (try owner.album("A").id, try owner.album("B").id)
    let renamed = try host.albumctl("album", "rename", a, "Trip", as: .wallpapers)
    #expect(renamed.status == 0 && renamed.lines == ["\(a)  Trip"])
    let moved = try host.albumctl("album", "move", a, "--parent", b, "--json", as: .wallpapers)
    #expect(try moved.object(LibraryInterface.Album.self).parent == b)
    #expect(try host.albumctl("album", "move", a, "--owner").lines == ["\(a)  Trip"])
    #expect(try owner.album("Trip").parent == nil)
    let taken = try host.albumctl("album", "rename", a, "B", as: .wallpapers)
    #expect(taken.status == 1 && taken.output.contains("There is something called “B” already."))
    let title = try host.albumctl("album", "rename", a, "x/y", as: .wallpapers)
    #expect(title.status == 1 && title.output.contains("The title “x/y” is none for an album"))
    let inside = try host.albumctl("album", "move", a, "--parent", a, as: .wallpapers)
    #expect(inside.status == 1 && inside.output.contains("An album cannot lie in itself."))
  }

  @Test("S77: rename prints the asset; album take and leave move assets; what cannot be is explained")
  func movesAssets() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let b = try owner.album("B").id
    let renamed = try host.albumctl("rename", one, "Sea", as: .wallpapers)
    #expect(renamed.status == 0 && renamed.lines == ["\(one)  Sea.jpg"])
    let taken = try host.albumctl("rename", one, "two", as: .wallpapers)
    #expect(taken.status == 1 && taken.output.contains("There is something called “two.jpg” already."))
    let name = try host.albumctl("rename", one, "x/y", as: .wallpapers)
    #expect(name.status == 1 && name.output.contains("“x/y” is no name for a photo."))
    let moved = try host.albumctl("album", "take", b, one, two, "--json", as: .wallpapers)
    #expect(try moved.object(LibraryInterface.AlbumMembership.self).ids == [one, two])
    #expect(try owner.assets().allSatisfy { $0.albums == [b] })
    #expect(try host.albumctl("album", "take", "nowhere", one, "--owner").status == 1)
    let left = try host.albumctl("album", "leave", one, two, "--json", as: .wallpapers)
    #expect(try left.object(LibraryInterface.MoveAssets.Parameters.self).ids == [one, two])
    #expect(try owner.assets().allSatisfy { $0.albums.isEmpty })
    #expect(try host.albumctl("album", "leave", "nothing", "--owner").status == 1)
    #expect(try host.albumctl("album", "take", b, one, two, "--owner").status == 0)
    let gone = try host.albumctl("album", "delete", b, "--owner")
    #expect(gone.status == 0 && Set(gone.lines) == [one, two])
    #expect(try host.albumctl("album", "delete", b, as: .wallpapers).status == 1)
  }

  @Test("S34, S25: album add puts assets into another album, album remove takes them out, never of the last")
  func membership() throws {
    let host = try host()
    let owner = try host.owner()
    let (a, b) = (try owner.album("A").id, try owner.album("B").id)
    let ids = try owner.assets().map(\.id)
    let added = try host.albumctl(["album", "add", b] + ids, as: .wallpapers)
    #expect(added.status == 0 && added.output.isEmpty)
    for asset in try owner.assets() { #expect(Set(asset.albums) == [a, b]) }

    let removed = try host.albumctl("album", "remove", a, ids[0], "--json", as: .wallpapers)
    let told = try removed.object(LibraryInterface.AlbumMembership.self)
    #expect(removed.status == 0 && told.album == a && told.ids == [ids[0]])
    #expect(try owner.asset("one.jpg").albums == [b])
    let last = try host.albumctl("album", "remove", b, ids[0], as: .wallpapers)
    #expect(last.status == 1 && last.output.contains("in no other place"))
    #expect(last.output.contains("albumctl delete"))
    #expect(try owner.asset("one.jpg").albums == [b])
    #expect(try host.albumctl("album", "remove", b, ids[1], "--owner").status == 0)
    #expect(try owner.asset("two.jpg").albums == [a])
  }

  @Test("an asset that cannot be taken out is named, and so is what was taken out before it")
  func partly() throws {
    let host = try host()
    let owner = try host.owner()
    let (a, b) = (try owner.album("A").id, try owner.album("B").id)
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    #expect(try host.albumctl("album", "add", b, one, as: .wallpapers).status == 0)
    let removed = try host.albumctl("album", "remove", a, one, two, as: .wallpapers)
    #expect(removed.status == 1)
    #expect(removed.output.contains("\(two): It is in no other place. Done before: \(one)."))
    #expect(removed.output.contains("albumctl delete"))
    #expect(try owner.asset("one.jpg").albums == [b])
    let again = try host.albumctl("album", "remove", a, two, "--json", as: .wallpapers)
    #expect(again.status == 1 && again.output.contains(LibraryInterface.LastAlbum.name))
    #expect(again.output.contains("Nothing was changed."))
  }

  @Test("S16: ids that the app may not see end it with 1 and are named; S15: without access, 3 and the guide")
  func refused() throws {
    let host = try host()
    let (b, one) = (try host.owner().album("B").id, try host.owner().asset("one.jpg").id)
    let asset = try host.albumctl("album", "add", b, "nothing", as: .wallpapers)
    #expect(asset.status == 1 && asset.output.contains("There is no asset nothing"))
    let album = try host.albumctl("album", "remove", "nowhere", one, "--json", as: .wallpapers)
    #expect(album.status == 1 && album.output.contains(LibraryInterface.NoSuchAlbum.name))
    for command in [["create", "x"], ["add", b, one], ["remove", b, one]] {
      let outcome = try host.albumctl(["album"] + command, as: .mail)
      #expect(outcome.status == 3 && outcome.output.contains("albumctl request"))
    }
    #expect(try host.albumctl("album", "add", b).status == 2)
    #expect(try host.owner().asset("one.jpg").albums.count == 1)
  }

  @Test("S16: an album that does not exist, or that the app may not see, is said to be none, not to be empty")
  func unknownAlbum() throws {
    let host = try host()
    let owner = try host.owner()
    let (a, b) = (try owner.album("A").id, try owner.album("B").id)
    let filled = try host.albumctl("assets", "--album", a, as: .wallpapers)
    #expect(filled.status == 0 && filled.output.contains("2 of 2 assets"))
    let empty = try host.albumctl("assets", "--album", b, as: .wallpapers)
    #expect(empty.status == 0 && empty.output.contains("0 of 0 assets"))
    for arguments in [["assets", "--album", a, "--album", "nowhere"], ["watch", "--album", "nowhere"]] {
      let unknown = try host.albumctl(arguments, as: .wallpapers)
      #expect(unknown.status == 1 && unknown.output.contains("There is no album nowhere that you may see"))
    }
    let told = try host.albumctl("assets", "--album", "nowhere", "--json", "--owner")
    #expect(told.status == 1 && told.output.contains(LibraryInterface.NoSuchAlbum.name))

    try host.set(.mail, .limited)
    let hidden = try host.albumctl("assets", "--album", a, as: .mail)
    #expect(hidden.status == 1 && hidden.output.contains("There is no album \(a) that you may see"))
  }
}
