internal import AlbumAPI
internal import AlbumClient
internal import AlbumWeb
internal import HummingbirdCore

// Which path is what. A part of a path that is an id was checked by nobody: it goes to the daemon as text.
extension Site {
  /// Pages, and what their scripts ask for.
  func show(_ path: String, _ visit: Visit) async throws -> Response {
    if let file = StaticFile(path) { return file.response }
    let parts = path.split(separator: "/").map { Self.plain($0) }
    if parts.first != "preview", parts.first != "api", parts.first != "icon" { await desk.look(visit.tags) }
    switch (parts.first ?? "", parts.count) {
    case ("", 0): return try await home(visit)
    case ("enter", 1):
      // It works once, also for who is in already.
      await desk.burn(visit.query["code"] ?? "")
      return .see(EntryPlace(visit.query["next"]).path)
    case ("events", 1): throw NotFound()
    case ("prompt", 2): return try await prompt(parts[1], visit)
    case ("prompt", 3) where parts[2] == "pick": return try await promptPicker(parts[1], visit)
    case ("prompt", 3) where parts[2] == "assets": return try await promptAssets(parts[1], visit)
    case ("photos", 1): return try await photos(visit)
    case ("apps", 1): return try await apps(visit)
    case ("apps", 3): return try await app(parts[1], uid: parts[2], visit)
    case ("apps", 4) where parts[3] == "select": return try await appPicker(parts[1], uid: parts[2], visit)
    case ("log", 1): return try await log(visit)
    case ("deleted", 1): return try await deleted(visit)
    case ("library", 1): return try await library(visit)
    case ("sessions", 1): return await sessions(visit)
    case ("icon", 2): return try icon(parts[1])
    case ("preview", 2): return try await preview(parts[1], visit)
    case ("preview", 3) where parts[1] == "deleted": return try await deletedPreview(parts[2], visit)
    case ("preview", 3) where parts[1] == "prompt": return try await replacementPreview(parts[2], visit)
    case ("api", 2): return try await answer(parts[1], visit)
    default: throw NotFound()
    }
  }

  /// Whatever changes something. Who sends it was checked.
  func change(_ path: String, _ form: FormFields, _ visit: Visit, wantsText: Bool) async throws -> Response {
    let parts = path.split(separator: "/").map { Self.plain($0) }
    switch (parts.first ?? "", parts.count) {
    case ("prompt", 2): return try await respond(to: parts[1], form, visit, wantsText: wantsText)
    case ("apps", 4) where parts[3] == "set": return try await setAccess(parts[1], uid: parts[2], form, visit)
    case ("apps", 4) where parts[3] == "location":
      return try await setLocation(parts[1], uid: parts[2], form, visit)
    case ("apps", 4) where parts[3] == "reset": return try await forget(parts[1], uid: parts[2], form, visit)
    case ("apps", 4) where parts[3] == "select":
      return try await setSelection(parts[1], uid: parts[2], form, visit, wantsText: wantsText)
    case ("deleted", 2): return try await changeDeleted(parts[1], form, visit)
    case ("sessions", 2) where parts[1] == "end": return await endSession(form, visit)
    case ("library", 2) where parts[1] == "rescan":
      try await daemon.ask { try $0.rescan() }
      return .see("/library?done=1")
    default: throw NotFound()
    }
  }

  private static func plain(_ part: Substring) -> String {
    // As a field of a form is: the same escapes.
    FormFields("x=\(part.replacing("+", with: "%2B").replacing("&", with: "%26"))".utf8)["x"] ?? ""
  }
}

extension StringProtocol {
  /// The text as a part of a path or a value of a query (RFC 3986, section 2.3).
  var inAddress: String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }
}
