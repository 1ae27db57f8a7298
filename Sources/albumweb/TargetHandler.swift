internal import AlbumWeb
internal import NIOCore
internal import NIOHTTP1

/// Has the name that a request's first line may contain stand where its `Host` does, before what Hummingbird sees of that
/// line is a path alone.
final class TargetHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  /// Puts one behind what reads requests of a connection.
  static func add(to channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
    try pipeline.addHandler(TargetHandler(), position: .after(decoder))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    let named = head.headers["host"]
    let hosts = RequestTarget.hosts(of: head.uri, named)
    for host in hosts.dropFirst(named.count) { head.headers.add(name: "host", value: host) }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
