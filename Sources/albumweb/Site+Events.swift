internal import AlbumAPI
internal import AlbumWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Varlink

// Live pages (S62): server-sent events (HTML Standard, section 9.2), one stream for each.
extension Site {
  /// Stays until the page is closed or its session ended.
  func events(_ request: Request, _ visit: Visit) async -> Response {
    await desk.look(visit.tags)
    guard let (id, events) = await desk.open(for: visit.session, isLog: visit.query["of"] == "log") else {
      return .plain(.tooManyRequests)
    }
    let body = ResponseBody { [self] writer in
      // What is open must be closed, whatever ends it.
      let unsafe = UnsafeWriter(writer)
      do {
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          for await event in events {
            // What was kept for a page that reads slowly is not for it any more once its session has ended.
            let event = await desk.isIn(visit.session) ? event : .ended
            if case .log = event { await desk.tellsLog(id) }
            try await unsafe.write(await text(of: event, visit))
            if case .ended = event { break }
          }
        }
      } catch {}
      await desk.close(id)
      writer = unsafe.writer
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
  }

  private func text(of event: Desk.Event, _ visit: Visit) async -> ByteBuffer {
    switch event {
    case .ended: return ByteBuffer(string: "event: ended\ndata: {}\n\n")
    case .log: return ByteBuffer(string: "event: log\ndata: {}\n\n")
    case .daemon(let problem):
      let text = (try? JSONEncoding.encode(DaemonNews(problem: problem.map(HTMLText.plain)))) ?? []
      return ByteBuffer(string: "event: daemon\ndata: \(String(decoding: text, as: UTF8.self))\n\n")
    case .prompt(let reason):
      var news = News(reason: reason.map(HTMLText.plain))
      if let prompt = await desk.board.current {
        news.id = prompt.id
        news.html = View.part("prompt", await promptValues(prompt, visit, next: "/"), visit)
        news.title = HTMLText.plain(prompt.app.name)
      }
      // JSON has no line ends of its own.
      let text = (try? JSONEncoding.encode(news)) ?? []
      return ByteBuffer(string: "event: prompt\ndata: \(String(decoding: text, as: UTF8.self))\n\n")
    }
  }
}

private struct DaemonNews: Encodable {
  var problem: String?
}

private struct News: Encodable {
  var reason: String?
  var id: String?
  var html: String?
  var title: String?
}

/// A body's writer, for the one task that writes.
private final class UnsafeWriter: @unchecked Sendable {
  var writer: any ResponseBodyWriter

  init(_ writer: any ResponseBodyWriter) { self.writer = writer }

  func write(_ bytes: ByteBuffer) async throws { try await writer.write(bytes) }
}
