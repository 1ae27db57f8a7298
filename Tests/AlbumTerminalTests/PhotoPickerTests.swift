import AlbumAPI
import Testing
import TestSupport
import Words

@testable import AlbumTerminal

/// An agent, a library of ten thousand photos, and somebody who types.
private struct Person {
  var dialog = AgentDialog()
  var library: FakeLibrary
  var answer: AgentInterface.Answer?

  init(
    _ kind: AgentInterface.PromptKind, _ choices: [AgentInterface.Decision], photos: Int = 10_000,
    words: Words = .english, change: (inout AgentInterface.Prompt) -> Void = { _ in }
  ) {
    library = FakeLibrary(photos)
    dialog = AgentDialog(words: words)
    var prompt = AgentInterface.Prompt(
      id: "1", kind: kind,
      app: .init(id: "org.example.App", name: "App", verified: false, user: "alice"), choices: choices)
    change(&prompt)
    _ = dialog.resize(rows: 24)
    perform(dialog.show(prompt))
  }

  mutating func perform(_ actions: [AgentDialog.Action]) {
    var actions = actions
    while !actions.isEmpty {
      switch actions.removeFirst() {
      case .respond(_, let answer): self.answer = answer
      case .load(let request): actions += dialog.loaded(library.answer(request), for: request)
      case .report, .end: break
      }
    }
  }

  mutating func press(_ keys: Key...) {
    for key in keys { perform(dialog.press(key, now: Instant(microseconds: 0))) }
  }

  mutating func type(_ text: String) {
    for character in text { press(character == "\n" ? .enter : .character(character)) }
  }

  /// Looks for something and shows what is found.
  mutating func search(_ text: String) { type("/" + text + "\n") }

  var screen: [String] { dialog.screen(columns: 80, rows: 24).map(\.text) }
  var text: String { screen.joined(separator: "\n") }
}

@Suite("Picking out of ten thousand photos")
struct PhotoPickerTests {
  /// - Parameter albums: more than the library has.
  private func limitedPicker(_ selection: [String] = [], albums: [LibraryInterface.Album] = []) -> Person {
    var person = Person(.limitedPicker, [.limited, .allow, .notNow]) { $0.selection = selection }
    person.library.albums += albums
    person.type("s")
    return person
  }

  private func picker(
    limit: Int = 0, types: [LibraryInterface.MediaType]? = nil, photos: Int = 10_000,
    filter: AgentInterface.PickerFilter? = nil, minimum: Int? = nil, preselected: [String]? = nil
  ) -> Person {
    var person = Person(.picker, [.allow, .notNow], photos: photos) {
      $0.selectionLimit = limit
      $0.mediaTypes = types
      $0.filter = filter
      $0.minimum = minimum
      $0.selection = preselected
    }
    person.type("p")
    return person
  }

  @Test("S20: what is selected is shown, stays, and is changed photo by photo")
  func selection() {
    var person = limitedPicker(["id1", "id9000", "trip"])
    #expect(person.text.contains("Selected photos: 2, albums: 1"))
    #expect(person.screen.contains { $0.contains("[x]") && $0.contains("壁纸1.jpg") })
    // In a selected album, and therefore seen as well.
    #expect(person.screen.contains { $0.contains("[+]") && $0.contains("壁纸0.jpg") && $0.contains("Trip") })
    person.type("j jj \n")
    #expect(
      person.answer == .init(decision: .limited, assets: ["id9000", "id3"], albums: ["trip"]))
  }

  @Test("S20: more photos are selected than one call may name: all are shown, found and unselected")
  func manySelected() {
    // Some are not there any more, and asked for first.
    let gone = (0..<15_000).map { "gone\($0)" }
    var person = limitedPicker(gone + (0..<10_000).map { "id\($0)" })
    person.press(.tab, .tab)
    #expect(person.text.contains("Selected photos: 25000"))
    #expect(person.text.contains("1/10000"))
    person.press(.end)
    #expect(person.text.contains("10000/10000"))
    #expect(person.screen.contains { $0.hasPrefix("> ") && $0.contains("9999") })
    person.search("film")
    #expect(person.text.contains("1/1000") && !person.text.contains("1/10000"))
    person.type("u")
    #expect(person.text.contains("Selected photos: 24000"))
    person.search("")
    person.type("u")
    #expect(person.text.contains("Selected photos: 15000"))
  }

  @Test("a search for an album among what is selected finds what is in it, and no more")
  func searchAmongSelected() {
    var person = limitedPicker(["id0", "id1"])
    person.press(.tab, .tab)
    person.search("album:trip")
    #expect(person.text.contains("壁纸0.jpg") && !person.text.contains("壁纸1.jpg"))
    person.search("album:nowhere")
    #expect(person.text.contains("Nothing here.") && person.text.contains("Selected photos: 2"))
  }

  @Test("S17: whole albums are selected, opened and named below those that they lie in")
  func albums() {
    var person = limitedPicker()
    person.press(.tab)
    #expect(person.screen.contains { $0.contains("[ ] Trip/Lake/") })
    #expect(person.screen.contains { $0.contains("Family/") && $0.contains("shared") })
    person.press(.down, .right)
    #expect(person.text.contains("Album Trip  1/100"))
    person.type("j ")
    person.press(.left)
    person.type(" \n")
    #expect(person.answer == .init(decision: .limited, assets: ["id100"], albums: ["lake", "trip"]))
  }

  @Test("S20, S63: a folder brings what lies in it, says how many, and takes it along")
  func folder() {
    var person = limitedPicker(
      albums: [
        .init(id: "pier", title: "Pier", parent: "lake", assetCount: 0, shared: false, createdByCaller: false)
      ])
    person.press(.tab, .down)
    person.type(" ")
    #expect(person.text.contains("Trip: also the albums in it (2)"))
    for title in ["Trip/", "Trip/Lake/", "Trip/Lake/Pier/"] {
      #expect(person.screen.contains { $0.contains("[x] \(title)  ") }, "\(person.text)")
    }
    #expect(person.screen.contains { $0.contains("[ ] Family/") })
    person.press(.down)
    #expect(person.text.contains("Selected photos: 0, albums: 3"))
    person.type(" ")
    #expect(person.text.contains("Selected photos: 0, albums: 1"), "\(person.text)")
    person.type("  ")
    person.press(.up)
    person.type(" ")
    #expect(person.text.contains("Selected photos: 0, albums: 0"), "\(person.text)")
  }

  @Test("S63: that nothing is selected is told before it is granted, and then may be meant")
  func nothingSelected() {
    var person = limitedPicker()
    person.type("\n")
    #expect(person.answer == nil && person.text.contains("the app will see nothing"))
    person.type("j\n")
    #expect(person.answer == nil && person.text.contains("the app will see nothing"))
    person.type(" \n")
    #expect(person.answer?.assets?.count == 1)
    person = limitedPicker()
    person.type("\n\n")
    #expect(person.answer == .init(decision: .limited, assets: [], albums: []))
  }

  @Test("nothing but what is near the screen is held or read, wherever the screen is")
  func lazy() throws {
    var person = picker()
    #expect(person.library.requests.count == 1)
    #expect(person.text.contains("1/10000"))
    for _ in 0..<20 { person.press(.pageDown) }
    #expect(person.library.requests.count == 2)
    person.press(.end)
    #expect(person.text.contains("10000/10000"))
    #expect(person.text.contains("film9999.mp4"))
    let held = try #require(person.dialog.picker?.photos.heldCount)
    #expect(held <= 2000)
    // And back, though the first pages were dropped.
    person.press(.home)
    #expect(person.screen.contains { $0.hasPrefix("> ") && $0.contains("壁纸0.jpg") })
    person.type(" \n")
    #expect(person.answer == .init(decision: .allow, assets: ["id0"]))
  }

  @Test("a search changes what is shown and never what is selected")
  func search() {
    var person = picker()
    person.type(" ")
    person.search("film77")
    #expect(person.text.contains("found by “film77”  1/11"))
    person.type(" ")
    person.search("album:trip type:photo")
    #expect(person.text.contains("1/100"))
    person.search("nowhere")
    #expect(person.text.contains("Nothing here."))
    person.press(.escape)
    #expect(person.text.contains("All photos  1/10000"))
    #expect(person.text.contains("Selected: 2"))
    person.type("\n")
    #expect(person.answer == .init(decision: .allow, assets: ["id0", "id779"]))
  }

  @Test("dates are found in the zone of the person, alone and as spans")
  func dates() {
    var person = picker()
    let month = LocalPeriod("2024-03")
    person.search("2024-03")
    let request = person.library.requests.last?.page
    #expect(request?.createdAfter == month?.start)
    #expect(request?.createdBefore == month?.end)
    #expect(person.text.contains("1/\(31 * 24)"))
  }

  @Test("keys mean themselves while a search is typed; Esc leaves the search as it was")
  func typing() {
    var person = picker()
    person.type("/jka u")
    #expect(person.text.contains("Search: jka u_"))
    person.press(.backspace, .escape)
    #expect(person.text.contains("All photos  1/10000"))
    #expect(person.text.contains("Selected: 0"))
  }

  @Test("only what is selected, from wherever it was found, can be looked through and unselected")
  func onlySelected() {
    var person = limitedPicker(["id5", "id9999"])
    person.press(.tab, .tab)
    #expect(person.text.contains("Selected  1/2"))
    #expect(person.text.contains("film9999.mp4"))
    person.type("j ")
    #expect(person.screen.contains { $0.contains("[ ]") && $0.contains("film9999.mp4") })
    person.type("\n")
    #expect(person.answer == .init(decision: .limited, assets: ["id5"], albums: []))
  }

  @Test("all that a search finds is selected at once, page by page")
  func all() {
    var person = limitedPicker()
    person.search("type:video")
    person.type("*")
    #expect(person.text.contains("Selected photos: 1000, albums: 0"))
    person.search("film99")
    person.type("u\n")
    let rest = 1000 - (0..<10_000).count { $0 % 10 == 9 && "film\($0)".hasPrefix("film99") }
    #expect(person.answer?.assets?.count == rest)
  }

  @Test("who looks for a kind that there is not is told which there are")
  func unknownKind() {
    var person = limitedPicker()
    person.search("type:foo")
    #expect(person.text.contains("type: takes photo, video or live, not “foo”."))
    person.search("nosuchname")
    #expect(person.text.contains("Nothing here.") && !person.text.contains("type:"))
  }

  @Test("S23, S71: kinds and limit of a picker are kept, and the order of picking")
  func limits() {
    var person = picker(limit: 2, types: [.video])
    #expect(person.text.contains("at most 2"))
    #expect(person.text.contains("1/1000"))
    person.type(" j j ")
    #expect(person.text.contains("At most 2 may be selected."))
    person.search("type:photo")
    #expect(person.text.contains("Nothing here."))
    person.type("\n")
    #expect(person.answer == .init(decision: .allow, assets: ["id9", "id19"]))
  }

  @Test("S105: what an app has picked is picked when the picker opens, in its order, and can be taken away")
  func preselected() {
    var person = picker(limit: 3, preselected: ["id2", "id0", "id9000"])
    #expect(person.text.contains("Selected: 3") && person.text.contains("1/10000"))
    #expect(person.screen.contains { $0.contains("[x]") && $0.contains("壁纸0.jpg") })
    person.type("j ")
    #expect(person.text.contains("At most 3 may be selected."))
    person.type("k j ")
    person.type("\n")
    #expect(person.answer == .init(decision: .allow, assets: ["id2", "id9000", "id1"]))
  }

  @Test("S105: only what an app asks for is shown, whatever is searched for, and what is picked as it is")
  func filter() {
    var person = picker(filter: .init(none: [.init(mediaTypes: [.image])]), preselected: ["id19"])
    #expect(person.text.contains("1/1000") && !person.text.contains("1/10000"))
    person.search("壁纸")
    #expect(person.text.contains("Nothing here."))
    person.search("film77")
    #expect(person.text.contains("1/11"))
    person.type("*")
    #expect(person.text.contains("Selected: 12"))
    person.press(.tab)
    #expect(person.library.requests.last?.page.matching != nil)
    person.press(.tab)
    #expect(person.text.contains("Selected  1/12"))
  }

  @Test("S105: fewer than the app asks for are not taken, and it is told how many there must be")
  func minimum() {
    var person = picker(limit: 3, minimum: 2)
    #expect(person.text.contains("at least 2"))
    person.type(" \n")
    #expect(person.answer == nil && person.text.contains("At least 2 must be selected."))
    person.type("j \n")
    #expect(person.answer == .init(decision: .allow, assets: ["id0", "id1"]))
    // None at all is no pick: the prompt is put off.
    var other = picker(minimum: 2)
    other.press(.escape)
    #expect(other.text.contains("at least 2"))
    other.type("n")
    #expect(other.answer == .init(decision: .notNow))
  }

  @Test(
    "S105: the question says how many are asked for",
    arguments: [
      (nil, 0, "for it."), (nil, 3, "at most 3."), (2, 0, "at least 2."), (2, 3, "2 to 3."),
      (3, 3, "exactly 3."),
    ] as [(Int?, Int, String)])
  func question(minimum: Int?, limit: Int, said: String) {
    let prompt = AgentInterface.Prompt(
      id: "1", kind: .picker, app: .init(id: "a", name: "App", verified: true, user: "u"),
      choices: [.allow, .notNow], selectionLimit: limit, minimum: minimum)
    #expect(Words.english.question(prompt).hasSuffix(said))
  }

  @Test("S105: a script that picks too few puts the prompt off")
  func script() throws {
    let now = Instant(microseconds: 0)
    let prompt = AgentInterface.Prompt(
      id: "1", kind: .picker, app: .init(id: "a", name: "App", verified: true, user: "u"),
      choices: [.allow, .notNow], minimum: 2)
    let one = try ScriptedAnswer(.allow, assets: ["a"], now: now)
    #expect(one.answer(to: prompt, now: now) == .init(decision: .notNow))
    let two = try ScriptedAnswer(.allow, assets: ["a", "b"], now: now)
    #expect(two.answer(to: prompt, now: now) == .init(decision: .allow, assets: ["a", "b"]))
  }

  @Test("S23: more than may be picked are not picked all at once either")
  func allWithLimit() {
    var person = picker(limit: 253)
    person.type("*")
    #expect(person.text.contains("At most 253 may be selected."))
    person.type("\n")
    #expect(person.answer?.assets?.count == 253)
  }

  @Test("S23: of one photo, the last one counts")
  func one() {
    var person = picker(limit: 1)
    person.type(" j \n")
    #expect(person.answer == .init(decision: .allow, assets: ["id1"]))
  }

  @Test("S23: a picker answers with something, and takes no albums")
  func nothingPicked() {
    var person = picker()
    person.type("\n")
    #expect(person.answer == nil)
    #expect(person.text.contains("Nothing is picked yet"))
    person.press(.tab)
    person.type(" ")
    #expect(person.text.contains("Albums cannot be picked as a whole"))
    person.press(.escape)
    #expect(person.text.contains("Pick photos"))
    person.type("n")
    #expect(person.answer == .init(decision: .notNow))
  }

  @Test("what was selected outlasts going back, and an answer that is not taken")
  func goingBack() {
    var person = limitedPicker()
    person.type(" ")
    person.press(.escape)
    person.type("s")
    #expect(person.text.contains("Selected photos: 1"))
    person.type("\n")
    person.perform(person.dialog.answerFailed("no such album", isFinal: false))
    #expect(person.text.contains("no such album"))
    #expect(person.screen.contains { $0.contains("[x]") })
  }

  @Test("a library that cannot be read is told, and read again with the next key")
  func failure() throws {
    var dialog = AgentDialog()
    dialog.show(
      .init(
        id: "1", kind: .picker, app: .init(id: "a", name: "A", verified: true, user: "u"),
        choices: [.allow, .notNow]))
    let actions = dialog.press(.character("p"), now: Instant(microseconds: 0))
    guard case .load(let request)? = actions.first else {
      Issue.record("nothing is read")
      return
    }
    dialog.loadFailed("the daemon is gone", for: request)
    #expect(dialog.screen(columns: 80, rows: 24).contains { $0.text.contains("the daemon is gone") })
    // Drawing again asks for nothing: nobody would ever get to the keys.
    for rows in [24, 24, 40] { #expect(dialog.resize(rows: rows) == []) }
    #expect(dialog.press(.enter, now: Instant(microseconds: 0)) == [.load(request)])
  }

  @Test("nor is it read again and again behind other lists")
  func failureElsewhere() throws {
    var person = limitedPicker()
    for key in [Key.tab, .tab, .tab] {
      for case .load(let request) in person.dialog.press(key, now: Instant(microseconds: 0)) {
        person.dialog.loadFailed("the daemon is gone", for: request)
      }
      #expect(person.dialog.resize(rows: 24) == [])
    }
    #expect(person.text.contains("the daemon is gone"))
  }

  @Test("S20: the key that allows everything in the prompt means nothing in the picker above it")
  func noSharedKey() {
    var person = limitedPicker()
    person.type("a")
    #expect(person.text.contains("Selected photos: 0, albums: 0"))
    #expect(person.text.contains("* all found"))
  }

  @Test(
    "a picker tells who it is for, whatever the app is called and however small the window",
    arguments: [(80, 24), (40, 12), (30, 8)])
  func whoPicks(columns: Int, rows: Int) throws {
    let path = "/home/alice/" + String(repeating: "very/", count: 400) + "long"
    var person = Person(.picker, [.allow, .notNow]) {
      $0.app = .init(id: path, name: path, verified: false, user: "alice")
    }
    person.type("p")
    let lines = person.dialog.screen(columns: columns, rows: rows).map(\.text)
    let warning = try #require(lines.firstIndex { $0.hasPrefix("NOT VERIFIED") })
    #expect(lines[warning + 1].hasPrefix("/home/alice") && lines[warning + 1].hasSuffix("long, alice"))
    #expect(lines.contains { $0.hasPrefix("> ") })
  }

  @Test(
    "the photos in question are shown with the question",
    arguments: [AgentInterface.PromptKind.deletion, .photoAccess])
  func subjects(_ kind: AgentInterface.PromptKind) {
    let ids = (0..<1000).map { "id\($0)" }
    var person = Person(kind, [.allow, .deny, .notNow]) { $0.assets = ids }
    #expect(person.text.contains("壁纸0.jpg"))
    #expect(person.text.contains("1000 in all"))
    #expect(person.text.contains(kind == .deletion ? "a  Delete" : "a  Allow"))
    for _ in 0..<200 { person.press(.pageDown) }
    #expect(person.text.contains("film999.mp4"))
    person.type("a")
    #expect(person.answer == .init(decision: .allow))
  }

  @Test("S23: some of the photos in question are allowed")
  func someOfThem() {
    var person = Person(.photoAccess, [.allow, .limited, .deny, .notNow]) { $0.assets = ["id1", "id2"] }
    #expect(person.text.contains("Allow App to access these 2 photos?"))
    person.type("s")
    #expect(person.text.contains("These photos  1/2"))
    person.type("j \n")
    #expect(person.answer == .init(decision: .limited, assets: ["id2"]))
  }

  @Test(
    "a window of any size is never overrun, and shows where one is",
    arguments: [(1, 1), (20, 5), (33, 10), (80, 24), (200, 80)])
  func size(columns: Int, rows: Int) {
    var person = limitedPicker()
    person.perform(person.dialog.resize(rows: rows))
    for _ in 0..<40 { person.press(.pageDown) }
    for keys in ["", "/壁"] {
      person.type(keys)
      let lines = person.dialog.screen(columns: columns, rows: rows)
      #expect(lines.count <= rows)
      #expect(lines.allSatisfy { TextWidth.columns(of: $0.text) <= columns })
      if columns >= 20, rows >= 5 { #expect(lines.contains { $0.text.hasPrefix("> ") }) }
    }
  }

  @Test(
    "whatever is typed while photos come and go, it ends, fits, and keeps to the limit",
    arguments: 0..<8 as Range<UInt64>)
  func anyKeys(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var person = picker(limit: 30, photos: 3000)
    let keys: [Key] =
      [.up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab, .enter, .escape, .backspace]
      + " *uj/9 album:trip 2024-04".map { .character($0) }
    for _ in 0..<200 {
      switch Int.random(in: 0..<40, using: &random) {
      case 0: person.library.assets.removeLast(min(person.library.assets.count, 700))
      case 1: person.library.assets = FakeLibrary(3000).assets
      case 2: person.perform(person.dialog.resize(rows: Int.random(in: 1...60, using: &random)))
      case 3...8: person.type("p")
      case _: person.press(keys.randomElement(using: &random) ?? .enter)
      }
      let lines = person.dialog.screen(columns: 60, rows: person.dialog.rows)
      #expect(lines.count <= person.dialog.rows)
      guard let picker = person.dialog.picker else { continue }
      #expect(picker.selectedPhotos.count <= 30)
      #expect(picker.position == 0 || picker.position < picker.rowCount)
      #expect(picker.photos.heldCount <= 2000)
      if person.answer != nil {
        person.perform(person.dialog.answerFailed("again", isFinal: false))
        person.answer = nil
      }
    }
    // Each key reads what it shows: at most the pages on the way to the end.
    #expect(person.library.requests.count < 200 * 16)
  }

  @Test("names do nothing to the terminal")
  func safety() {
    var person = Person(.picker, [.allow, .notNow], photos: 0)
    person.library.assets = FakeLibrary(1).assets
    person.library.assets[0].filename = "a\u{1B}[2J\n\u{202E}b.jpg"
    person.library.albums[0].title = "\u{1B}]0;x\u{7}"
    person.type("p")
    let scalars = person.screen.joined().unicodeScalars
    #expect(person.text.contains("a\\e[2J\\n\\u{202E}b.jpg"))
    #expect(!scalars.contains { $0.properties.generalCategory == .control })
  }

  @Test("in the language of the person", arguments: ["zh-CN", "zh-Hans", "zh"])
  func chinese(_ tag: String) {
    var person = Person(.picker, [.allow, .notNow], words: .matching([tag]))
    #expect(person.text.contains("“App”请你为它挑选照片。"))
    person.type("p")
    #expect(person.text.contains("所有照片"))
  }
}

extension PhotoList {
  /// How many photos are held.
  fileprivate var heldCount: Int { parts.flatMap(\.pages.values).reduce(0) { $0 + $1.count } }
}
