import Glibc
import Linux
import Synchronization

/// A file system in user space (fuse(4)) with a few photos in it, that stops answering when it is told to, as one does
/// whose disk or whose server is away. What is asked of it meanwhile stays with the kernel, where a signal ends it, or is
/// taken and kept, and then nothing ends it but the answer.
public final class HangingFileSystem: Sendable {
  private struct State {
    var isHanging = false
    /// Whether it takes what it does not answer, and what of that it has.
    var isTaking = false
    var takenCount = 0
    /// What it is asked for when it begins to hang.
    var trap: UInt32?
    /// What it is asked for before it may be trapped so, and what for then.
    var first: (former: UInt32, trap: UInt32)?
    /// What alone it takes and does not answer.
    var kept: UInt32?
    /// Reads from there on are taken and not answered.
    var keptOffset: UInt64?
    /// How often it was asked for a directory's names.
    var listingCount = 0
    /// Whether the thread that serves has seen that.
    var isSeen = true
    var isOver = false
  }

  private let path: String
  private let device: CInt
  /// Wakes the thread that serves.
  private let control: CInt
  private let state = Mutex(State())
  private let contents: SharedContents

  /// Whether this process may mount one.
  public static let isPossible: Bool = {
    var template = Array("/tmp/albumd-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return false }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { rmdir(path) }
    return (try? HangingFileSystem(at: path, [])) != nil
  }()

  /// - Parameters:
  ///   - files: their paths, in directories that are made for them.
  ///   - memory: for how many seconds the kernel may believe what it is told.
  ///   - ignoresCase: whether a file is found by its name in any case.
  public init(
    at path: String, _ files: [String], memory: UInt64 = 0, ignoresCase: Bool = false
  ) throws {
    self.path = path
    // Before any file is open whose closing may wait.
    _ = FileWriter.shared
    contents = SharedContents(Contents(files, ignoresCase: ignoresCase))
    device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
    guard device >= 0 else { throw SystemError("open", subject: "/dev/fuse") }
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw SystemError("socketpair")
    }
    control = ends[0]
    let served = ends[1]
    let options = "fd=\(device),rootmode=40000,user_id=0,group_id=0,allow_other"
    guard mount("albumd-test", path, "fuse", 0, options) == 0 else {
      let error = SystemError("mount", subject: path)
      close(device)
      close(control)
      close(served)
      throw error
    }
    let server = Server(device: device, control: served, memory: memory, shared: contents) { [weak self] in
      self?.manner
    } isTaken: { [weak self] operation, offset in
      self?.isTaken(operation, offset) ?? false
    }
    guard runDetached({ server.serve() }) else { throw SystemError("pthread_create", code: EAGAIN) }
  }

  deinit {
    die()
    umount2(path, CInt(MNT_DETACH))
    close(control)
  }

  /// A file in the topmost directory is another from now on, or none, without the kernel's knowing.
  ///
  /// - Parameter byteCount: nil where there is none any more.
  public func change(_ name: String, to byteCount: Int?, isSame: Bool = true) {
    contents.change { contents in
      let former = contents.child(name, of: 1)
      if let former, byteCount == nil || !isSame { contents.nodes[former] = nil }
      guard let byteCount else { return }
      let number = contents.child(name, of: 1) ?? contents.add(name, to: 1, isDirectory: false)
      contents.nodes[number]?.byteCount = byteCount
    }
  }

  /// How often a directory was opened to be listed.
  public var listingCount: Int { state.withLock { $0.listingCount } }

  /// From now on nothing is answered.
  ///
  /// - Parameter taking: whether what is asked is taken, so that no signal ends who asks.
  public func hang(taking: Bool = false) {
    set {
      $0.isHanging = true
      $0.isTaking = taking
      $0.takenCount = 0
    }
  }

  /// What it may be asked for (linux/fuse.h).
  public enum Request: UInt32 {
    case lookUp = 1
    case makeDirectory = 9
    case unlink = 10
    case removeDirectory = 11
    case rename = 12
    case read = 15
    case flush = 25
    case openDirectory = 27
    case create = 35
    /// With flags: to a free name, or in exchange.
    case renameWithFlags = 45
  }

  /// Directories have no end from now on, until it is asked for this: after what is in them comes one hidden name after
  /// another.
  public func listEndlessly(until request: Request) {
    contents.change { $0.endlessUntil = request.rawValue }
  }

  /// Waits until so much of a directory was told that has no end.
  public func awaitEndlessListing() {
    while !state.withLock(\.isOver), contents.now.hiddenCount == 0 { usleep(1000) }
  }

  /// Names are looked up so much later from now on, in microseconds.
  public func lookUp(after time: UInt32) { contents.change { $0.lookUpTime = time } }

  /// From when it is asked for this on, nothing is answered, and what is asked is taken.
  public func hang(on request: Request) { set { $0.trap = request.rawValue } }

  /// The same, once it was asked for something else and has answered that.
  public func hang(on request: Request, after former: Request) {
    set { $0.first = (former.rawValue, request.rawValue) }
  }

  /// This alone is taken and not answered, until ``answer()``.
  public func keep(_ request: Request) { set { $0.kept = request.rawValue } }

  /// Reads of a file from there on are taken and not answered, until ``answer()``. A file has many bytes where its name
  /// says so: `long.jpg`.
  public func keepReads(from offset: UInt64) {
    set {
      $0.keptOffset = offset
      $0.takenCount = 0
    }
  }

  /// Waits until there is one of those.
  public func awaitKeptRead() {
    while state.withLock({ $0.takenCount == 0 && !$0.isOver }) { usleep(1000) }
  }

  /// How many bytes a long file has.
  public static let longLength = 2 << 20

  /// Answers again, what was asked meanwhile first, until it is asked for this.
  public func answer(until request: Request) {
    set {
      ($0.isHanging, $0.kept) = (false, nil)
      $0.trap = request.rawValue
    }
  }

  /// Waits until it was asked for that.
  public func awaitTrap() {
    while state.withLock({ ($0.trap != nil || $0.first != nil) && !$0.isOver }) { usleep(1000) }
  }

  private func isTaken(_ operation: UInt32, _ offset: UInt64) -> Bool {
    state.withLock { state in
      if operation == Request.openDirectory.rawValue { state.listingCount += 1 }
      if operation == Request.read.rawValue, let kept = state.keptOffset, offset >= kept {
        state.takenCount += 1
        return true
      }
      if state.trap == operation {
        state.trap = nil
        (state.isHanging, state.isTaking) = (true, true)
      }
      if let first = state.first, first.former == operation { (state.first, state.trap) = (nil, first.trap) }
      guard state.isHanging && state.isTaking || state.kept == operation else { return false }
      state.takenCount += 1
      return true
    }
  }

  /// Answers again, what was asked meanwhile first.
  public func answer() { set { ($0.isHanging, $0.kept, $0.keptOffset) = (false, nil, nil) } }

  /// Its process has gone: all that is asked fails with ENOTCONN.
  public func die() {
    let wasOver = state.withLock { state in
      defer { state.isOver = true }
      return state.isOver
    }
    if !wasOver { wake() }
  }

  /// Waits until something is asked of it that it does not answer.
  public func awaitRequest() {
    while state.withLock({ $0.isTaking && $0.takenCount == 0 && !$0.isOver }) { usleep(1000) }
    if state.withLock({ $0.isTaking }) { return }
    var ready = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, 600_000) < 0, errno == EINTR {}
  }

  private func set(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.isSeen = false
    }
    wake()
    while !state.withLock({ $0.isSeen || $0.isOver }) { sched_yield() }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = send(control, &one, 8, CInt(MSG_NOSIGNAL))
  }

  /// Nil when it is over.
  private var manner: Server.Manner? {
    state.withLock { state in
      state.isSeen = true
      if state.isOver { return nil }
      if state.isHanging { return state.isTaking ? .takes : .hangs }
      return state.kept == nil && state.keptOffset == nil ? .answers : .takes
    }
  }
}

/// Directories and files by their numbers; 1 is the root.
private struct Contents: Sendable {
  struct Node {
    var name: String
    var parent: UInt64
    var isDirectory: Bool
    /// Where it is not what its name says.
    var byteCount: Int?
  }

  static let photo: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1]
  var nodes: [UInt64: Node] = [1: Node(name: "", parent: 0, isDirectory: true)]
  /// By what directories get an end, where they have none.
  var endlessUntil: UInt32?
  /// How long it takes to look up a name, in microseconds.
  var lookUpTime: UInt32 = 0
  /// How often it was asked where a hole is.
  var seekCount = 0
  /// How many names were told that are in no directory.
  var hiddenCount = 0

  private let ignoresCase: Bool

  init(_ paths: [String], ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    for path in paths {
      var parent: UInt64 = 1
      let names = path.split(separator: "/").map(String.init)
      for (index, name) in names.enumerated() {
        parent = child(name, of: parent) ?? add(name, to: parent, isDirectory: index < names.count - 1)
      }
    }
  }

  private var lastNumber: UInt64 = 1

  mutating func add(_ name: String, to parent: UInt64, isDirectory: Bool) -> UInt64 {
    lastNumber += 1
    let number = lastNumber
    nodes[number] = Node(name: name, parent: parent, isDirectory: isDirectory)
    return number
  }

  func content(of number: UInt64) -> [UInt8] {
    if let count = nodes[number]?.byteCount { return [UInt8](repeating: 7, count: count) }
    guard nodes[number]?.name == "long.jpg" else { return Self.photo }
    return Self.photo + [UInt8](repeating: 7, count: HangingFileSystem.longLength - Self.photo.count)
  }

  func child(_ name: String, of parent: UInt64) -> UInt64? {
    nodes.first {
      $0.value.parent == parent
        && ($0.value.name == name || ignoresCase && $0.value.name.lowercased() == name.lowercased())
    }?.key
  }

  func children(of parent: UInt64) -> [(UInt64, Node)] {
    nodes.filter { $0.value.parent == parent }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// The same, as they are by now.
private final class SharedContents: Sendable {
  private let state: Mutex<Contents>

  init(_ contents: Contents) { state = Mutex(contents) }

  var now: Contents { state.withLock { $0 } }
  func change(_ body: (inout Contents) -> Void) { state.withLock { body(&$0) } }
}

/// Answers what the kernel asks (linux/fuse.h).
private struct Server: Sendable {
  let device: CInt
  let control: CInt
  let memory: UInt64
  let shared: SharedContents
  var contents: Contents { shared.now }
  /// What is done with a request.
  enum Manner { case answers, takes, hangs }
  /// Nil when it is over.
  let manner: @Sendable () -> Manner?
  /// Whether a request is taken and not answered.
  let isTaken: @Sendable (UInt32, UInt64) -> Bool

  func serve() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 8)
    defer {
      buffer.deallocate()
      close(device)
      close(control)
    }
    var taken: [[UInt8]] = []
    while let manner = manner() {
      if manner == .answers {
        for request in taken { request.withUnsafeBytes(answer) }
        taken = []
      }
      var ready = [
        pollfd(fd: control, events: Int16(POLLIN), revents: 0),
        pollfd(fd: manner == .hangs ? -1 : device, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&ready, 2, -1) > 0 else { continue }
      if ready[0].revents != 0 {
        var count: UInt64 = 0
        _ = read(control, &count, 8)
        continue
      }
      let length = read(device, buffer.baseAddress, buffer.count)
      if length < 0, errno == EINTR || errno == ENOENT || errno == EAGAIN { continue }
      guard length >= 40 else { return }
      let request = UnsafeRawBufferPointer(rebasing: buffer[..<length])
      let offset = length >= 56 ? request.load(fromByteOffset: 48, as: UInt64.self) : 0
      if isTaken(request.load(fromByteOffset: 4, as: UInt32.self), offset) {
        taken.append(Array(request))
      } else {
        answer(request)
      }
    }
  }

  private func answer(_ request: UnsafeRawBufferPointer) {
    let operation = request.load(fromByteOffset: 4, as: UInt32.self)
    guard let (error, content) = result(operation, request) else { return }
    var reply = [UInt8]()
    reply.append(native: UInt32(16 + content.count))
    reply.append(native: error)
    reply.append(native: request.load(fromByteOffset: 8, as: UInt64.self))
    reply += content
    _ = write(device, reply, reply.count)
  }

  /// Nil where no answer is expected.
  private func result(_ operation: UInt32, _ request: UnsafeRawBufferPointer) -> (Int32, [UInt8])? {
    let number = request.load(fromByteOffset: 16, as: UInt64.self)
    var content: [UInt8] = []
    if contents.endlessUntil == operation { shared.change { $0.endlessUntil = nil } }
    switch operation {
    case 2, 42: return nil  // FUSE_FORGET, FUSE_BATCH_FORGET
    case 26:  // FUSE_INIT: version 7.31, and no features
      for value in [7, 31, 65536, 0] as [UInt32] { content.append(native: value) }
      content += [UInt8](repeating: 0, count: 48)
    case 1:  // FUSE_LOOKUP
      usleep(contents.lookUpTime)
      let name = String(decoding: request[40...].prefix { $0 != 0 }, as: UTF8.self)
      if let child = contents.child(name, of: number) {
        content += entry(child)
      } else if memory > 0 {
        // That there is none is believed as well.
        for value in [0, 0, memory, 0, 0] { content.append(native: value) }
        content += [UInt8](repeating: 0, count: 88)
      } else {
        return (-ENOENT, [])
      }
    case 9:  // FUSE_MKDIR
      let name = Self.names(request, from: 48)[0]
      guard contents.child(name, of: number) == nil else { return (-EEXIST, []) }
      shared.change { _ = $0.add(name, to: number, isDirectory: true) }
      if let child = contents.child(name, of: number) { content += entry(child) }
    case 35:  // FUSE_CREATE
      let name = Self.names(request, from: 56)[0]
      guard contents.child(name, of: number) == nil else { return (-EEXIST, []) }
      shared.change { _ = $0.add(name, to: number, isDirectory: false) }
      if let child = contents.child(name, of: number) { content += entry(child) }
      content += [UInt8](repeating: 0, count: 16)
    case 10, 11:  // FUSE_UNLINK, FUSE_RMDIR
      guard let child = contents.child(Self.names(request, from: 40)[0], of: number) else {
        return (-ENOENT, [])
      }
      shared.change { $0.nodes[child] = nil }
    case 12, 45:  // FUSE_RENAME, FUSE_RENAME2 with RENAME_NOREPLACE
      let target = request.load(fromByteOffset: 40, as: UInt64.self)
      let names = Self.names(request, from: operation == 12 ? 48 : 56)
      guard let child = contents.child(names[0], of: number) else { return (-ENOENT, []) }
      let former = contents.child(names[1], of: target)
      if operation == 45, former != nil { return (-EEXIST, []) }
      shared.change { contents in
        if let former { contents.nodes[former] = nil }
        contents.nodes[child]?.name = names[1]
        contents.nodes[child]?.parent = target
      }
    case 3:  // FUSE_GETATTR
      for value in [memory, 0] { content.append(native: value) }
      content += attributes(number)
    case 14, 27: content += [UInt8](repeating: 0, count: 16)  // FUSE_OPEN, FUSE_OPENDIR
    case 15:  // FUSE_READ
      let offset = Int(request.load(fromByteOffset: 48, as: UInt64.self))
      let size = Int(request.load(fromByteOffset: 56, as: UInt32.self))
      content += contents.content(of: number).dropFirst(offset).prefix(size)
    case 17: content += [UInt8](repeating: 0, count: 80)  // FUSE_STATFS
    case 28:  // FUSE_READDIR
      let offset = Int(request.load(fromByteOffset: 48, as: UInt64.self))
      let size = Int(request.load(fromByteOffset: 56, as: UInt32.self))
      content += entries(of: number, from: offset, size)
    case 46 where contents.nodes[number]?.name == "stuck.jpg":
      // FUSE_LSEEK: each offset is where the next hole is, and data.
      shared.change { $0.seekCount += 1 }
      guard contents.seekCount < 1000 else { return (-ENXIO, []) }
      content.append(native: request.load(fromByteOffset: 48, as: UInt64.self))
    case 18, 25, 29: break  // FUSE_RELEASE, FUSE_FLUSH, FUSE_RELEASEDIR
    default: return (-ENOSYS, [])
    }
    return (0, content)
  }

  /// The names at the end of a request.
  private static func names(_ request: UnsafeRawBufferPointer, from start: Int) -> [String] {
    request[start...].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// `struct fuse_entry_out`.
  private func entry(_ number: UInt64) -> [UInt8] {
    var content: [UInt8] = []
    for value in [number, 0, memory, memory, 0] { content.append(native: value) }
    return content + attributes(number)
  }

  /// `struct fuse_attr`.
  private func attributes(_ number: UInt64) -> [UInt8] {
    let isDirectory = contents.nodes[number]?.isDirectory ?? false
    var content: [UInt8] = []
    for value in [number, isDirectory ? 0 : UInt64(contents.content(of: number).count), 1, 1, 1, 1] {
      content.append(native: value)
    }
    let mode: UInt32 = isDirectory ? 0o40755 : 0o100644
    for value in [0, 0, 0, mode, isDirectory ? 2 : 1, 0, 0, 0, 4096, 0] { content.append(native: value) }
    return content
  }

  /// `struct fuse_dirent`, each padded to eight bytes.
  private func entries(of number: UInt64, from offset: Int, _ size: Int) -> [UInt8] {
    var content: [UInt8] = []
    let contents = contents
    let children = contents.children(of: number)
    func add(_ number: UInt64, _ name: String, _ index: Int, isDirectory: Bool) -> Bool {
      let length = 24 + (name.utf8.count + 7) / 8 * 8
      guard content.count + length <= size else { return false }
      content.append(native: number)
      content.append(native: UInt64(index + 1))
      content.append(native: UInt32(name.utf8.count))
      content.append(native: UInt32(isDirectory ? 4 : 8))
      content += name.utf8
      content += [UInt8](repeating: 0, count: length - 24 - name.utf8.count)
      return true
    }
    for (index, (child, node)) in children.enumerated().dropFirst(offset) {
      guard add(child, node.name, index, isDirectory: node.isDirectory) else { return content }
    }
    guard contents.endlessUntil != nil else { return content }
    var next = max(offset, children.count)
    while add(1 << 32 + UInt64(next), ".hidden \(next)", next, isDirectory: false) { next += 1 }
    shared.change { $0.hiddenCount += 1 }
    return content
  }
}

extension [UInt8] {
  fileprivate mutating func append<Value: FixedWidthInteger>(native value: Value) {
    Swift.withUnsafeBytes(of: value) { append(contentsOf: $0) }
  }
}
