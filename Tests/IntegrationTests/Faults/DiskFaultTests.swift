import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("A disk that fails (R2)", .blocking)
struct DiskFaultTests {
  private static let faults: [(Faults.Kind, CInt)] = [(.write, EIO), (.write, EROFS), (.sync, EIO)]

  @Test(
    "a decision that cannot be stored is none and says so, others go on, and the next one is stored",
    arguments: faults)
  func decisions(_ kind: Faults.Kind, _ code: CInt) throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.state)
    let host = try Host(library) { try $0.add("a.jpg") }
    try host.set(.mail, .authorized)
    let (app, other, agent) = (try host.app().connect(), try host.app(.mail).connect(), try host.agent())
    try faults.begin(kind, code)
    try app.beginRequest()
    let refused = try failure { try agent.answer(agent.prompt(), .allow) }
    #expect(refused.description.contains("registry"), "\(refused)")
    #expect(try failure { _ = try app.requestReply() }.description.contains("log says why"))
    #expect(try failure { try host.set(.wallpapers, .authorized) }.description.contains("registry"))
    #expect(try app.status() == .notDetermined)
    #expect(try other.status() == .authorized && other.assets().map(\.filename) == ["a.jpg"])
    #expect(host.daemon.isRunning && host.daemon.log.contains("registry"))

    try faults.end(kind)
    try app.beginRequest()
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.requestReply().status == .authorized)
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try host.app().connect().status() == .authorized)
    #expect(try host.app(.mail).connect().status() == .authorized)
  }

  @Test("S42: what is written to no journal is told, once, when it can be", arguments: [EIO, EROFS])
  func journal(code: CInt) throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.state)
    let host = try Host(library)
    let subscriber = try host.owner().subscribe()
    try faults.begin(.write, code)
    for number in 0..<20 { try library.add("p\(number).jpg") }
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    try host.connect().roundTrip()
    try faults.end(.write)
    let seen = try subscriber.collect(20)
    #expect(Set(seen.inserted.map(\.filename)).count == 20 && seen.count == 20)
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try host.owner().assets().count == 20)
  }

  @Test(
    "what cannot be written into the library is not half there, and can be added later", arguments: faults)
  func adding(_ kind: Faults.Kind, _ code: CInt) throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.photos)
    let host = try Host(library) { try $0.add("kept.jpg") }
    let owner = try host.owner()
    try faults.begin(kind, code)
    let refused = try failure { try add("new.jpg", by: owner, host) }
    let reason = String(cString: strerror(code))
    #expect(refused.description.lowercased().contains(reason.lowercased().prefix(9)), "\(refused)")
    #expect(try owner.assets().map(\.filename) == ["kept.jpg"])
    #expect(host.daemon.unnamedBytes == 0)
    try faults.end(kind)
    try add("new.jpg", by: owner, host)
    #expect(try Set(owner.assets().map(\.filename)) == ["kept.jpg", "new.jpg"])
    #expect(try owner.content(of: owner.asset("new.jpg").id) == Photo.jpeg("new.jpg"))
  }

  private func add(_ name: String, by owner: Connection, _ host: Host) throws {
    let path = try host.library.add("../\(name)", Photo.jpeg(name))
    let batch = DescriptorBatch()
    let source = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
    let item = LibraryInterface.AddItem(fileDescriptor: batch.append(source), filename: name)
    try owner.call(LibraryInterface.AddAssets.self, .init(items: [item]), descriptors: batch)
  }
}
