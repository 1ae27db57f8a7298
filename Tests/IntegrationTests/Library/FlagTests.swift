import AlbumAPI
import CLinux
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("Favourites and hidden assets (S90, S91)", .blocking)
struct FlagTests {
  private func host() throws -> Host {
    let host = try Host {
      for name in ["one", "two", "three"] { try $0.add("A/\(name).jpg", Photo.jpeg(name)) }
      try $0.add("B/four.jpg", Photo.jpeg("four"))
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  private func favorite(_ connection: Connection, _ ids: [String], _ isSet: Bool = true) throws {
    try connection.call(LibraryInterface.SetFavorite.self, .init(ids: ids, favorite: isSet))
  }

  private func hide(_ connection: Connection, _ ids: [String], _ isSet: Bool = true) throws {
    try connection.call(LibraryInterface.SetHidden.self, .init(ids: ids, hidden: isSet))
  }

  private func names(
    _ connection: Connection, favorite: Bool? = nil, hidden: Bool? = nil, ids: [String]? = nil
  ) throws -> [String] {
    try connection.assets(.init(ids: ids, sort: .filename, isFavorite: favorite, includeHidden: hidden))
      .map(\.filename)
  }

  private func subscribe(_ app: TestApp, includesHidden: Bool, since: String? = nil) throws -> AssetSubscriber
  {
    try AssetSubscriber(
      try app.connect(), .init(assets: .init(includeHidden: includesHidden), since: since))
  }

  private func moments(_ connection: Connection) throws -> Int {
    try connection.call(LibraryInterface.FetchMoments.self, .init(unit: .year)).moments.map(\.count)
      .reduce(0, +)
  }

  private func attribute(_ host: Host, _ path: String, _ name: String) -> String? {
    var value = [UInt8](repeating: 0, count: 4096)
    let count = getxattr(host.library.path(path), name, &value, value.count)
    return count < 0 ? nil : String(decoding: value[..<count], as: UTF8.self)
  }

  private func setTags(_ host: Host, _ path: String, _ tags: String) throws {
    guard setxattr(host.library.path(path), "user.xdg.tags", tags, tags.utf8.count, 0) == 0 else {
      throw SystemError("setxattr")
    }
  }

  @Test(
    "S90: a favourite is told, found, and in its file for other programs, whose tags stay; theirs are told as well"
  )
  func favorites() throws {
    let host = try host()
    try setTags(host, "A/one.jpg", "sea")
    let app = try host.app()
    let connection = try app.connect()
    let (one, two) = (try connection.asset("one.jpg"), try connection.asset("two.jpg"))
    #expect(one.isFavorite == nil && one.isHidden == nil)
    let subscriber = try app.connect().subscribe()
    try favorite(connection, [one.id])
    let told = try #require(try subscriber.next().changed.first)
    #expect(told.asset?.isFavorite == true && told.id == one.id && !told.contentChanged)
    #expect(try connection.asset("one.jpg").isFavorite == true)
    #expect(attribute(host, "A/one.jpg", "user.xdg.tags") == "sea,Favorite")
    try setTags(host, "A/two.jpg", "Favorite")
    #expect(try subscriber.next().changed.first?.asset?.isFavorite == true)
    #expect(try names(connection, favorite: true) == ["one.jpg", "two.jpg"])
    #expect(try names(connection, favorite: false) == ["four.jpg", "three.jpg"])
    // What is one already is no change.
    try favorite(connection, [one.id, two.id])
    try favorite(connection, [one.id, two.id], false)
    #expect(attribute(host, "A/one.jpg", "user.xdg.tags") == "sea")
    #expect(attribute(host, "A/two.jpg", "user.xdg.tags") == nil)
    let rest = try subscriber.rest(in: host.library)
    #expect(rest.changed.map(\.asset?.isFavorite) == [nil, nil] && rest.count == 2)
    #expect(
      try host.accessLog(.wallpapers).filter { $0.kind == .favorite }.compactMap(\.assets).reduce(0, +) == 3)
    try host.daemon.restart()
    #expect(try names(host.owner(), favorite: true).isEmpty)
  }

  @Test("S91: what is hidden is left out of all that does not ask for it, and is gone for who did not")
  func hidden() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let (id, album) = (try connection.asset("two.jpg").id, try connection.album("A").id)
    let (plain, asking) = (
      try app.connect().subscribe(), try subscribe(app, includesHidden: true)
    )
    #expect(try moments(connection) == 4)
    try hide(connection, [id])
    #expect(try plain.next().removed == [id])
    #expect(try asking.next().changed.map(\.asset?.isHidden) == [true])
    for reader in [connection, try host.owner()] {
      #expect(try names(reader) == ["four.jpg", "one.jpg", "three.jpg"])
      #expect(try names(reader, ids: [id]).isEmpty && names(reader, hidden: true, ids: [id]) == ["two.jpg"])
      #expect(try names(reader, hidden: true).count == 4)
      let page = try reader.call(LibraryInterface.FetchAssets.self, .init(albums: [album], limit: 1))
      #expect(page.total == 2)
      #expect(try reader.album("A").assetCount == 2 && reader.info().assetCount == 3)
      #expect(try moments(reader) == 3)
    }
    #expect(attribute(host, "A/two.jpg", "user.io.albumd.hidden") == "1")
    // Who sees the whole library may name it.
    #expect(try connection.content(of: id) == Photo.jpeg("two"))
    try favorite(connection, [id])
    #expect(try asking.next().changed.map(\.asset?.isFavorite) == [true])
    try host.daemon.restart()
    let owner = try host.owner()
    #expect(try names(owner).count == 3 && moments(owner) == 3 && owner.album("A").assetCount == 2)
    let since = try host.owner().subscribe()
    try hide(owner, [id], false)
    #expect(try since.next().inserted.map(\.isFavorite) == [true])
    #expect(try names(owner).count == 4 && moments(owner) == 4 && owner.album("A").assetCount == 3)
    #expect(attribute(host, "A/two.jpg", "user.io.albumd.hidden") == nil)
  }

  @Test("S16, S106: hidden ones alone are told to who sees everything, and to others as if there were none")
  func onlyHidden() throws {
    let host = try host()
    let connection = try host.app().connect()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    func names(_ connection: Connection, _ wish: LibraryInterface.FetchAssets.Parameters) throws -> [String] {
      let page = try connection.call(LibraryInterface.FetchAssets.self, wish)
      #expect(page.total == page.assets.count)
      return page.assets.map(\.filename).sorted()
    }
    #expect(try names(owner, .init(isHidden: true)).isEmpty)
    try hide(owner, [one, two])
    try favorite(owner, [two])
    for reader in [owner, connection] {
      #expect(try names(reader, .init(isHidden: true)) == ["one.jpg", "two.jpg"])
      #expect(try names(reader, .init(isFavorite: true, isHidden: true)) == ["two.jpg"])
      #expect(try names(reader, .init(includeHidden: false, isHidden: true)) == ["one.jpg", "two.jpg"])
      #expect(try names(reader, .init(includeHidden: true, isHidden: false)) == ["four.jpg", "three.jpg"])
    }
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [one, try owner.asset("three.jpg").id])
    #expect(try names(connection, .init(isHidden: true)).isEmpty)
    #expect(try names(connection, .init(ids: [one, "no-such-id"], isHidden: true)).isEmpty)
    #expect(try names(connection, .init(isHidden: false)) == ["three.jpg"])
  }

  @Test(
    "S26, S91: who was away is told that it was hidden, or nothing where it was shown again for all that it knows"
  )
  func resumed() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let (one, two) = (try connection.asset("one.jpg").id, try connection.asset("two.jpg").id)
    let token = try connection.info().token
    try hide(connection, [one])
    try hide(connection, [two])
    try favorite(connection, [two])
    try hide(connection, [two], false)
    let missed = try app.connect().subscribe(since: token).collect(3)
    #expect(missed.removed == [one, two] && missed.inserted.map(\.id) == [two])
    #expect(missed.inserted[0].isFavorite == true && missed.changed.isEmpty)
    let all = try subscribe(app, includesHidden: true, since: token).collect(4)
    #expect(all.changed.count == 4 && all.count == 4)
  }

  @Test(
    "S16, S91: for an app that sees a part of the library a hidden photo does not exist, and it hides none")
  func limited() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [one, two])
    let subscriber = try subscribe(app, includesHidden: true)
    try favorite(connection, [one])
    #expect(try subscriber.next().changed.map(\.asset?.isFavorite) == [true])
    for isSet in [true, false] {
      #expect(try failure { try hide(connection, [one], isSet) }.name == PermissionDenied.name)
    }
    try hide(owner, [one])
    #expect(try subscriber.next().removed == [one])
    // Nothing of it is told any more, whoever marks it.
    try favorite(owner, [one], false)
    #expect(try names(connection) == ["two.jpg"] && names(connection, hidden: true) == ["two.jpg"])
    #expect(try names(connection, hidden: true, ids: [one]).isEmpty)
    #expect(try connection.info().assetCount == 1 && moments(connection) == 1)
    #expect(
      try connection.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite))
        .selectionCount == 1)
    let refusals = [
      try failure { _ = try connection.open(one) }, try failure { try favorite(connection, [one]) },
      try failure { try connection.call(LibraryInterface.DeleteAssets.self, .init(ids: [one])) },
      try failure {
        _ = try connection.call(LibraryInterface.RenameAsset.self, .init(id: one, filename: "x"))
      },
    ]
    for error in refusals { #expect(error.typed(LibraryInterface.NoSuchAsset.self)?.id == one) }
    // Nor that it is selected, or not any more.
    try host.select(.remove, assets: [one])
    try host.select(.add, assets: [one])
    try hide(owner, [one], false)
    let told = try subscriber.next()
    #expect(told.inserted.map(\.id) == [one] && told.removed.isEmpty)
    try host.set(.wallpapers, .denied)
    let denied = try failure { try favorite(connection, [two]) }
    #expect(denied.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .readWrite)
  }

  @Test(
    "S29, S91: who asked for hidden photos is told of none when it sees a part of the library from now on")
  func narrowed() throws {
    let host = try host()
    let app = try host.app()
    let subscriber = try subscribe(app, includesHidden: true)
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    try host.set(.wallpapers, .limited)
    #expect(try !subscriber.next().hasIncrementalChanges)
    try host.select(.replace, assets: [one, two])
    #expect(try subscriber.collect(2).inserted.count == 2)
    try hide(owner, [one])
    #expect(try subscriber.next().removed == [one])
  }

  @Test("S29, S91: a limited app that was away is not told what a photo was that is hidden by now")
  func hiddenMeanwhile() throws {
    let host = try host()
    let app = try host.app()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [two])
    let before = try app.connect().info().token
    try host.select(.add, assets: [one])
    let after = try app.connect().info().token
    try favorite(owner, [one])
    try hide(owner, [one])
    // It came and went: nothing that says so.
    let fromBefore = try app.connect().subscribe(since: before).next()
    #expect(!fromBefore.hasIncrementalChanges && fromBefore.isEmpty)
    let fromAfter = try app.connect().subscribe(since: after).collect(1)
    #expect(fromAfter.removed == [one] && fromAfter.changed.isEmpty)
  }

  @Test("S90: at most a thousand at a time, each of which there is, before anything is done")
  func bounds() throws {
    let host = try host()
    let connection = try host.app().connect()
    let one = try connection.asset("one.jpg").id
    for ids in [[], Array(repeating: one, count: 1001)] {
      for call in [favorite, hide] {
        let error = try failure { try call(connection, ids, true) }
        #expect(error.typed(InvalidParameter.self)?.parameter == "ids")
      }
    }
    for call in [favorite, hide] {
      let error = try failure { try call(connection, [one, "x"], true) }
      #expect(error.typed(LibraryInterface.NoSuchAsset.self)?.id == "x")
    }
    #expect(try names(connection, favorite: true).isEmpty && names(connection).count == 4)
    try favorite(connection, Array(repeating: one, count: 1000))
    #expect(try names(connection, favorite: true) == ["one.jpg"])
  }

  @Test(
    "S90: where a file system keeps no attributes, or cannot be written, that is said, and nothing is changed",
    .enabled(if: SmallDisk.isPossible, "mounting is not permitted"))
  func fileSystems() throws {
    let library = try TemporaryLibrary()
    try library.add("A/one.jpg")
    try library.makeAlbum("B")
    guard mount("albumd-test", library.path("B"), "ramfs", 0, nil) == 0 else { throw SystemError("mount") }
    defer { umount2(library.path("B"), CInt(MNT_DETACH)) }
    try library.add("B/two.jpg")
    let host = try Host(library)
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    for call in [favorite, hide] {
      let error = try failure { try call(owner, [one, two], true) }
      #expect(error.typed(LibraryInterface.FlagsNotSupported.self)?.id == two)
    }
    #expect(try names(owner) == ["two.jpg"], "those before it are done")
    guard mount(nil, library.path("B"), nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
      throw SystemError("mount")
    }
    let error = try failure { try favorite(owner, [two], true) }
    #expect([LibraryInterface.ReadOnly.name, LibraryInterface.FlagsNotSupported.name].contains(error.name))
    #expect(try names(owner, favorite: true, hidden: true) == ["one.jpg"])
  }

  @Test("S90, S91: albumctl marks, hides and lists them")
  func commands() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    func albumctl(_ arguments: String...) throws -> String {
      let outcome = try host.albumctl(arguments, as: .wallpapers)
      #expect(outcome.status == 0, "\(arguments): \(outcome.output)")
      return outcome.output
    }
    _ = try albumctl("favorite", one, two)
    _ = try albumctl("favorite", "--remove", two)
    #expect(try albumctl("assets", "--favorite").contains("one.jpg (favourite)"))
    #expect(try !albumctl("assets", "--favorite").contains("two.jpg"))
    _ = try albumctl("hide", two)
    #expect(try !albumctl("assets").contains("two.jpg"))
    #expect(try albumctl("assets", "--hidden").contains("two.jpg (hidden)"))
    #expect(try albumctl("describe", two).contains("two.jpg"))
    _ = try albumctl("hide", "--remove", two)
    #expect(try albumctl("assets").contains("two.jpg"))
    #expect(try albumctl("assets", "--favorite", "--json").contains("\"isFavorite\":true"))
  }
}
