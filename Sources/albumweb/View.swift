internal import AlbumWeb
internal import Mustache
internal import Words

/// The templates, and what is the same on every page.
enum View {
  /// What a template is filled with.
  typealias Values = [String: Any]

  /// A whole page.
  ///
  /// - Parameters:
  ///   - place: which of the places of the menu it is in.
  ///   - prompt: what is asked meanwhile, from ``View/prompt(_:_:)``.
  ///   - early: the address of what its scripts will ask for first. The browser asks while it still reads them.
  static func page(
    _ template: String, _ title: String, place: String = "", _ values: Values, _ visit: Visit,
    prompt: Values? = nil,
    scripts: [String] = [], early: String? = nil
  ) -> String {
    var all = values
    all["t"] = Texts(words: visit.words)
    all["token"] = visit.session.token.text
    let content = render(template, all)
    let places: [(String, Phrase)] = [
      ("apps", .pageApps), ("photos", .pagePhotos), ("log", .pageLog), ("deleted", .pageDeleted),
      ("library", .pageLibrary),
    ]
    var frame: Values = [
      "t": Texts(words: visit.words), "title": title, "content": content, "lang": visit.words.language,
      "token": visit.session.token.text, "scripts": scripts, "live": true,
      "places": places.map { path, name -> Values in
        ["path": path, "name": visit.words[name], "here": path == place, "icon": path]
      },
    ]
    if let early { frame["early"] = early }
    if var prompt {
      prompt["t"] = Texts(words: visit.words)
      prompt["token"] = visit.session.token.text
      frame["sheet"] = render("prompt", prompt)
    }
    return render("layout", frame)
  }

  /// A page for whoever has no session.
  static func bare(
    _ title: String, _ text: String, _ words: Words, steps: [String] = [],
    others: [(about: Phrase, command: String)] = [], next: String? = nil
  ) -> String {
    let values: Values = [
      "t": Texts(words: words), "title": title, "text": text, "steps": steps, "enters": next != nil,
      "next": next ?? "/",
      "others": others.map { other -> Values in ["about": words[other.about], "command": other.command] },
    ]
    let frame: Values = [
      "t": Texts(words: words), "title": title, "content": render("message", values), "lang": words.language,
      "enters": next != nil, "next": next ?? "/",
    ]
    return render("layout", frame)
  }

  static func outside(_ words: Words) -> String {
    bare(
      words[.pageOutside], words[.pageOutsideText], words, steps: ["albumctl page"],
      others: [(.pageOutsidePhone, "albumctl page --qr"), (.pageOutsideSystem, "sudo albumctl page")])
  }

  static func wrongCode(_ words: Words) -> String {
    bare(words[.pageWrongCode], words[.pageWrongCodeText], words, steps: ["albumctl page"])
  }

  /// - Parameter next: the path that it goes on to.
  static func welcome(_ words: Words, next: String) -> String {
    bare(words[.pageWelcome], words[.pageWelcomeText], words, next: next)
  }

  /// - Parameters:
  ///   - prompt: what is asked meanwhile, from ``View/prompt(_:_:)``.
  ///   - place: where it is answered again, if it can be.
  static func problem(
    _ text: String, _ advice: [String], _ visit: Visit, prompt: Values? = nil, answerAt place: String? = nil
  ) -> String {
    var values: Values = ["title": visit.words[.pageProblem], "text": text, "steps": advice]
    if let place { values["back"] = place }
    return page("message", visit.words[.pageProblem], values, visit, prompt: prompt)
  }

  /// A template on its own: for what scripts put into a page.
  static func part(_ template: String, _ values: Values, _ visit: Visit) -> String {
    var all = values
    all["t"] = Texts(words: visit.words)
    all["token"] = visit.session.token.text
    return render(template, all)
  }

  private static func render(_ template: String, _ values: Values) -> String {
    library.render(values, withTemplate: template) ?? ""
  }

  private static let library: MustacheLibrary = {
    MustacheContentTypes.register(PageText(), named: "PAGE")
    let sources: [(String, [UInt8])] = [
      ("layout", PackageResources.layout_mustache), ("message", PackageResources.message_mustache),
      ("home", PackageResources.home_mustache), ("prompt", PackageResources.prompt_mustache),
      ("picker", PackageResources.picker_mustache), ("apps", PackageResources.apps_mustache),
      ("app", PackageResources.app_mustache), ("log", PackageResources.log_mustache),
      ("deleted", PackageResources.deleted_mustache), ("library", PackageResources.library_mustache),
      ("sessions", PackageResources.sessions_mustache), ("lines", PackageResources.lines_mustache),
    ]
    var library = MustacheLibrary()
    for (name, bytes) in sources {
      let text = "{{% CONTENT_TYPE: PAGE}}" + String(decoding: bytes, as: UTF8.self)
      do { try library.register(text, named: name) } catch {
        Log.warning("The template \(name) is wrong: \(error)")
      }
    }
    return library
  }()
}

/// The catalogue's texts, by their names.
struct Texts: MustacheParent {
  let words: Words
  func child(named name: String) -> Any? { Phrase(rawValue: name).map { words[$0] } }
}

/// Text in a page (``HTMLText``).
private struct PageText: MustacheContentType {
  func escapeText(_ text: String) -> String { HTMLText.escape(text) }
}
