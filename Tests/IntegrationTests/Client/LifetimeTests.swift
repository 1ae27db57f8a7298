import AlbumAPI
import AlbumClient
import Glibc
import Linux
import Testing
import TestSupport
import VarlinkTransport

/// A socket at which nobody answers, to see who comes and goes.
private final class SilentDaemon {
  var path: String { directory.path + "/s" }
  private let directory: TemporaryDirectory
  private let listener: OwnedDescriptor
  private var peers: [CInt] = []

  init() throws {
    directory = try TemporaryDirectory()
    listener = try UnixSocket.listen(at: directory.path + "/s")
  }

  deinit {
    peers.forEach { close($0) }
  }

  /// Waits for that many more connections.
  func accept(_ count: Int) throws {
    for _ in 0..<count {
      #expect(wait(for: [listener.number]))
      guard let peer = try UnixSocket.accept(from: listener.number) else { continue }
      peers.append(peer.take())
    }
  }

  /// Waits until all of them have hung up.
  func allGone() -> Bool {
    for peer in peers {
      var buffer = [UInt8](repeating: 0, count: 4096)
      repeat { if !wait(for: [peer]) { return false } } while recv(peer, &buffer, buffer.count, 0) > 0
    }
    return !peers.isEmpty
  }

  private func wait(for descriptors: [CInt]) -> Bool {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&requests, nfds_t(requests.count), 30_000) > 0
  }
}

private actor Listener: PhotoLibraryChangeObserver {
  func photoLibraryDidChange(_ change: PhotoChange) async {}
}

@Suite("What a library holds, and for how long", .blocking)
struct LifetimeTests {
  @Test("an observer has two connections, and none once it is unregistered")
  func unregister() throws {
    let daemon = try SilentDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let listener = Listener()
    try library.register(listener)
    try daemon.accept(2)
    library.unregisterChangeObserver(listener)
    #expect(daemon.allGone())
  }

  @Test("registering again takes the place of the first time")
  func twice() throws {
    let daemon = try SilentDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let listener = Listener()
    try library.register(listener)
    try daemon.accept(2)
    try library.register(listener)
    #expect(daemon.allGone())
  }

  @Test("a library that goes takes its connections along")
  func library() throws {
    let daemon = try SilentDaemon()
    let listener = Listener()
    try {
      let library = PhotoLibrary(socketPath: daemon.path)
      try library.register(listener)
      try daemon.accept(2)
    }()
    #expect(daemon.allGone())
  }

  @Test("S12: a request whose task is cancelled hangs up, also before it is answered")
  func cancelled() async throws {
    let daemon = try SilentDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let request = Task { try await library.requestAuthorization(for: .addOnly) }
    try daemon.accept(1)
    request.cancel()
    await #expect(throws: CancellationError.self) { try await request.value }
    #expect(daemon.allGone())
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await library.requestAuthorization(for: .addOnly)
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test("a daemon that is not there is an error of the call, with what to do about it")
  func nobody() async throws {
    let library = PhotoLibrary(socketPath: "/nowhere/s")
    let error = await #expect(throws: AlbumError.self) {
      try await library.authorizationStatus(for: .addOnly)
    }
    #expect(error?.code == .notRunning)
    #expect(error?.advice.isEmpty == false)
  }
}
