internal import EventLoop
internal import Varlink
internal import VarlinkServer

/// `io.systemd.service`: what systemd's own daemons answer on their sockets.
@EventLoopActor
struct ServiceControl {
  let callers: Callers
  let reloading: Reloading

  private enum Ping: VarlinkMethod {
    static let name = "io.systemd.service.Ping"
    typealias Parameters = Empty
    typealias Reply = Empty
  }

  private enum Reload: VarlinkMethod {
    static let name = "io.systemd.service.Reload"
    typealias Parameters = Empty
    typealias Reply = Empty
  }

  private static let definition = """
    # Basic control of a systemd service.
    interface io.systemd.service

    # Checks if the service is running.
    method Ping() -> ()

    # Reloads configuration files; for owners.
    method Reload() -> ()

    """

  func implementation() -> InterfaceImplementation {
    var interface = InterfaceImplementation(definition: Self.definition)
    interface.on(Ping.self) { _, _ in Empty() }
    interface.onTask(Reload.self) { _, call in
      guard try callers.mayActAsOwner(call) else { throw PermissionDenied() }
      _ = try await reloading.reload()
      return Empty()
    }
    return interface
  }
}
