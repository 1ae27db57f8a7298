internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// What the page is drawn with: in the program, the same for everybody.
struct StaticFile {
  private let bytes: [UInt8]
  private let type: String

  /// Nil for a path that is none of them.
  init?(_ path: String) {
    switch path {
    case "/static/style.css": (bytes, type) = (PackageResources.style_css, "text/css; charset=utf-8")
    case "/static/page.js": (bytes, type) = (PackageResources.page_js, "text/javascript; charset=utf-8")
    case "/static/news.js": (bytes, type) = (PackageResources.news_js, "text/javascript; charset=utf-8")
    case "/static/grid.js": (bytes, type) = (PackageResources.grid_js, "text/javascript; charset=utf-8")
    case "/static/picker.js": (bytes, type) = (PackageResources.picker_js, "text/javascript; charset=utf-8")
    case "/static/log.js": (bytes, type) = (PackageResources.log_js, "text/javascript; charset=utf-8")
    case "/static/tick.svg": (bytes, type) = (PackageResources.tick_svg, "image/svg+xml")
    case "/static/icon.svg", "/favicon.ico": (bytes, type) = (PackageResources.icon_svg, "image/svg+xml")
    default: return nil
    }
  }

  var response: Response {
    var response = Response.of(ByteBuffer(bytes: bytes), type)
    // Asked for again after an update, and otherwise not told again for an hour.
    response.headers[.cacheControl] = "private, max-age=3600"
    return response
  }
}
