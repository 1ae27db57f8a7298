internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import AlbumWeb
internal import HummingbirdCore
internal import Words

/// What is ticked in the grid of who has no scripts (S65), and what is to be said about it.
///
/// The form has everything that is selected in it, shown or not, and comes again until nothing is left to say: with a
/// search, with the albums that lie in one that was ticked, and where what was done did not work.
struct PlainForm: Sendable {
  var assets: [String]
  var albums: [String]
  let query: FormFields
  var said: [String] = []
  /// Whether nothing is ticked, and that may be meant.
  var asksNothing = false
  /// Whether what was sent was not done.
  var isRefused = false
  private let tellsPlace: Bool

  init(_ form: FormFields) {
    assets = form.all("asset")
    albums = form.all("album")
    // Of the form, only what the grid's address has: an album that is ticked is not all that is to be shown.
    let kept = ["q", "level", "duration", "older"].compactMap { name in
      form[name].map { "\(name)=\($0.inAddress)" }
    }
    query = FormFields(kept.joined(separator: "&").utf8)
    tellsPlace = form["location"] == "1"
  }

  func values(_ words: Words) -> View.Values {
    ["said": said.joined(separator: " "), "asksNothing": asksNothing, "tellsPlace": tellsPlace]
  }
}

extension Site {
  /// The grid once more, where a form without scripts is not done with.
  ///
  /// - Parameters:
  ///   - mayBeNothing: whether nothing at all may be ticked without being asked.
  ///   - show: the grid that it is of.
  /// - Returns: nil where what is ticked is what is meant.
  func again(
    _ form: FormFields, _ visit: Visit, mayBeNothing: Bool,
    show: (Visit, PlainForm) async throws -> Response
  ) async throws -> Response? {
    var plain = PlainForm(form)
    let had = Set(form.all("had"))
    let new = plain.albums.filter { !had.contains($0) }
    if !new.isEmpty {
      let tree = AlbumTree(try await daemon.ask { try $0.albums().albums })
      for line in tree.lines where new.contains(line.album.id) {
        let inside = tree.beneath(line.album.id).map(\.id).filter { !plain.albums.contains($0) }
        if inside.isEmpty { continue }
        plain.albums += inside
        plain.said.append(
          visit.words[.pageFolder, ["album": line.album.title, "albums": "\(inside.count)"]])
      }
    }
    let isNothing = plain.assets.isEmpty && plain.albums.isEmpty && form["nothing"] != "1" && !mayBeNothing
    // What is looked at is chosen, and nothing is sent yet.
    let looks = form["find"] != nil || form["older"] != nil
    if isNothing, !looks {
      plain.said.append(visit.words[.pageNothingSelected])
      plain.asksNothing = true
      plain.isRefused = true
    }
    guard looks || !plain.said.isEmpty else { return nil }
    return try await show(Visit(session: visit.session, tags: visit.tags, query: plain.query), plain)
  }

  /// The grid once more, with what was ticked, where that did not work.
  func refused(
    _ message: String, _ form: FormFields, _ visit: Visit, show: (Visit, PlainForm) async throws -> Response
  ) async throws -> Response {
    var plain = PlainForm(form)
    plain.said = [message]
    plain.asksNothing = form["nothing"] == "1"
    plain.isRefused = true
    return try await show(Visit(session: visit.session, tags: visit.tags, query: plain.query), plain)
  }
}

extension FormFields {
  /// These fields as the beginning of a query, each with "&" behind it.
  func address(of names: [String]) -> String {
    names.flatMap { name in all(name).map { "\(name)=\($0.inAddress)&" } }.joined()
  }
}

extension Words {
  /// How much is selected: photos, albums, and how many photos are in those.
  func selected(_ photos: Int, albums: Int, inside: Int) -> String {
    let phrase: Phrase = albums == 0 ? .pageSelectedCount : albums == 1 ? .pageOneAlbum : .pageAlbumsAlso
    return self[phrase, ["count": "\(photos)", "albums": "\(albums)", "inside": "\(inside)"]]
  }
}
