import EventLoop
import Linux
import Varlink
import VarlinkServer
import VarlinkTransport

/// The server of the certification: checks every call as a whole against the one it wants.
@EventLoopActor
final class CertificationServer {
  /// The step that each client has to take next.
  private var expected: [String: Int] = [:]
  private var clients = 0
  private let server: VarlinkServer

  /// - Parameter porter: its control socket.
  init(porter: CInt) {
    server = VarlinkServer(
      identity: .init(vendor: "albumd", product: "certification", version: "1", url: "https://varlink.org"),
      porter: Porter(control: OwnedDescriptor(owning: porter)), admission: AdmitsEverybody(),
      failureText: { error, _ in "\(error)" }, onRefusal: { _, _ in })
  }

  func serve(at path: String) throws {
    var interface = InterfaceImplementation(definition: CertificationInterface.definition)
    interface.handle(Method<Start>.self) { [unowned self] _, call in start(call) }
    interface.handle(Method<Test01>.self) { [unowned self] _, call in try take(0, call) }
    interface.handle(Method<Test02>.self) { [unowned self] _, call in try take(1, call) }
    interface.handle(Method<Test03>.self) { [unowned self] _, call in try take(2, call) }
    interface.handle(Method<Test04>.self) { [unowned self] _, call in try take(3, call) }
    interface.handle(Method<Test05>.self) { [unowned self] _, call in try take(4, call) }
    interface.handle(Method<Test06>.self) { [unowned self] _, call in try take(5, call) }
    interface.handle(Method<Test07>.self) { [unowned self] _, call in try take(6, call) }
    interface.handle(Method<Test08>.self) { [unowned self] _, call in try take(7, call) }
    interface.handle(Method<Test09>.self) { [unowned self] _, call in try take(8, call) }
    interface.handle(Method<Test10>.self) { [unowned self] _, call in try take(9, call) }
    interface.handle(Method<Test11>.self) { [unowned self] _, call in try take(10, call) }
    interface.handle(Method<End>.self) { [unowned self] _, call in try take(11, call) }
    server.add(interface)
    try server.serve(listener: UnixSocket.listen(at: path))
  }

  private func start(_ call: ServerCall) {
    clients += 1
    let id = "client-\(clients)"
    expected[id] = 0
    call.reply(JSON.object(["client_id": .string(id)]))
  }

  private func take(_ index: Int, _ call: ServerCall) throws {
    guard let id = call.call.parameters["client_id"]?.string, let next = expected[id] else {
      throw CertificationInterface.ClientIdError()
    }
    let step = Certification.steps[index]
    var wants = step.wants
    wants["client_id"] = .string(id)
    let isWanted =
      next == index && call.call.wantsMore == step.wantsMore && call.call.isOneway == step.isOneway
      && JSON.object(call.call.parameters).normalized == JSON.object(wants).normalized
    guard isWanted else {
      expected[id] = nil
      throw CertificationInterface.CertificationError(
        wants: .object(wants), got: .object(call.call.parameters))
    }
    expected[id] = index + 1 < Certification.steps.count ? index + 1 : nil
    guard step.wantsMore else { return call.reply(JSON.object(step.reply)) }
    for reply in Certification.replies {
      call.reply(JSON.object(["string": .string(reply)]), continues: reply != Certification.replies.last)
    }
  }
}

/// A method of the interface whose values stay JSON, because they are compared as a whole.
enum Method<Name: MethodName>: VarlinkMethod {
  typealias Parameters = JSON
  typealias Reply = JSON
  static var name: String { "\(Certification.interface).\(Name.self)" }
}

protocol MethodName: Sendable {}
enum Start: MethodName {}
enum Test01: MethodName {}
enum Test02: MethodName {}
enum Test03: MethodName {}
enum Test04: MethodName {}
enum Test05: MethodName {}
enum Test06: MethodName {}
enum Test07: MethodName {}
enum Test08: MethodName {}
enum Test09: MethodName {}
enum Test10: MethodName {}
enum Test11: MethodName {}
enum End: MethodName {}
