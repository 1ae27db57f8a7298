import Foundation
import Glibc
import TestSupport
import Testing

@testable import AlbumClient

@Suite("The way to the settings page", .blocking)
struct SettingsURITests {
  @Test("S15: all settings, or an app's")
  func read() throws {
    #expect(try #require(SettingsURI("albumd:settings")).path(uid: 7) == "/apps")
    #expect(
      try #require(SettingsURI("albumd:settings/org.example.A")).path(uid: 7) == "/apps/org.example.A/7")
    #expect(
      try #require(SettingsURI("albumd:settings/%2Fopt%2Fa%20b")).path(uid: 0) == "/apps/%2Fopt%2Fa%20b/0")
    let longest = "albumd:settings/" + String(repeating: "a", count: SettingsURI.limit - 16)
    #expect(SettingsURI(longest) != nil && SettingsURI(longest + "a") == nil)
  }

  @Test(
    "S15: whatever else a link of somebody's says is opened by nobody",
    arguments: [
      "", "albumd:", "albumd:page", "albumd:settings/", "albumd:settings?x", "albumd:settings#x",
      "albumd:settings/a/b",
      "albumd:settings//a", "albumd:settings/..", "albumd:settings/.", "albumd:settings/%2e%2E",
      "albumd:settings/.%2e",
      "albumd:settings/a?next=/", "albumd:settings/a&b", "albumd:settings/a b", "albumd:settings/%",
      "albumd:settings/%4",
      "albumd:settings/%zz", "albumd:settings/%00", "albumd:settings/%0A", "albumd:settings/a\n",
      "albumd:settings/\u{e4}",
      "albumd://settings", "ALBUMD:settings", "xalbumd:settings", "albumd:settingsx", "--open",
      "http://127.0.0.1:7575/",
    ])
  func refused(_ text: String) { #expect(SettingsURI(text) == nil) }

  /// Programs of a desktop, which say what they are to open.
  private func desktop(handler: String?) throws -> (TemporaryDirectory, String) {
    let folder = try TemporaryDirectory()
    try #require(mkfifo("\(folder.path)/opened", 0o600) == 0)
    var programs = ["xdg-open": "printf '%s\\n' \"$1\" > '\(folder.path)/opened'"]
    if let handler { programs["xdg-mime"] = "[ \"$3\" = x-scheme-handler/albumd ] && echo '\(handler)'" }
    for (name, text) in programs {
      try TestProgram.install("#!/bin/sh\n\(text)\n", at: "\(folder.path)/\(name)")
    }
    return (folder, "\(folder.path):/usr/bin:/bin")
  }

  @Test(
    "S15: the page is opened by the desktop, where that knows who opens it",
    arguments: ["albumd:settings/org.example.A", "https://photos.example.org/apps/a/7"])
  func opened(_ address: String) async throws {
    let (folder, path) = try desktop(handler: "albumweb.desktop")
    #expect(try await DesktopSettings.open(address, in: path))
    let pipe = Glibc.open("\(folder.path)/opened", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(pipe) }
    var waiting = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    try #require(poll(&waiting, 1, 300_000) == 1)
    var line = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(pipe, &line, line.count)
    #expect(count >= 0 && line.prefix(count).elementsEqual("\(address)\n".utf8))
  }

  @Test("S15: without a program for it, or a desktop, it is said that nothing was opened")
  func notOpened() async throws {
    let (folder, path) = try desktop(handler: "")
    #expect(try await !DesktopSettings.open("albumd:settings", in: path))
    #expect(try await !DesktopSettings.open("albumd:settings/../x", in: path))
    #expect(try await !DesktopSettings.open("file:///etc/passwd", in: path))
    #expect(try await !DesktopSettings.open("javascript:alert(1)", in: path))
    try FileManager.default.removeItem(atPath: "\(folder.path)/xdg-open")
    #expect(try await !DesktopSettings.open("https://photos.example.org", in: "\(folder.path)"))
  }
}
