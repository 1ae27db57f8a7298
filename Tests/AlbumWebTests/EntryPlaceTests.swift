import Testing

@testable import AlbumWeb

@Suite("Where a link leads")
struct EntryPlaceTests {
  @Test(
    "S61: to the page, its apps, or one of them",
    arguments: ["/apps", "/apps/org.example.W/1000", "/apps/%2Fopt%2Ftool%232049/0", "/apps/a/4294967294"])
  func known(_ path: String) { #expect(EntryPlace(path).path == path) }

  @Test(
    "S61: and nowhere else, whatever it says",
    arguments: [
      nil, "", "/", "//evil.example", "https://evil.example", "/apps/", "/apps/a", "/apps/a/", "/apps/a/x",
      "/apps/a/-1", "/apps/a/+1", "/apps/a/4294967296", "/apps/a/1/", "/apps/a/1/set", "/apps//1",
      "/apps/../1",
      "/apps/%2e%2E/1", "/apps/./1", "/apps/a/1?x=1", "/apps/a/1#x", "/apps/a b/1", "/apps/a\"/1", "/photos",
      "/sessions/end", "/enter", "x/apps/a/1", "/apps/\(String(repeating: "a", count: 4096))/1",
    ] as [String?])
  func others(_ path: String?) { #expect(EntryPlace(path).path == "/") }
}
