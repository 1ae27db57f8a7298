public import EventLoop
internal import Glibc
internal import Linux
internal import Varlink
public import VarlinkTransport

/// One peer: bytes in, calls to their interface, replies out.
///
/// The protocol is ``Varlink/ServerSession``'s; this is the switch over what it says, and the decision
/// what to wait for. While a call is served nothing is read, so a peer is held back by its own replies.
///
/// It is long because what to wait for depends on all of it: what is half read, half sent, being served, and received or
/// read elsewhere.
@EventLoopActor
public final class ServerConnection {
  /// Who it is.
  public let peer: PeerCredentials
  /// What the service knows of the peer, for as long as it is connected.
  public let attachment: AnyObject?
  /// Whether it was made before this server knew of it: what was sent until then does not tell its sender.
  public let isHandedOver: Bool

  /// What is being read had not come before this moment, CLOCK_BOOTTIME in microseconds.
  public private(set) var waitingSince: UInt64 = 0

  let server: VarlinkServer
  let slot: UserSlot
  /// Closed with the connection, however long somebody keeps a call of it.
  private var socket: OwnedDescriptor?
  private let number: CInt
  private var source: IOSource?
  var stream: PeerStream
  /// Sends what waits for the peer to read descriptors.
  private(set) var retry: Retry?
  var call: ServerCall?
  /// Why nothing is read although no call is served.
  var pause = Pause.none
  /// Whether it waits for its turn.
  private var isQueued = false
  /// What is done in its next turn, instead of reading: for the call that is being served.
  private var due: (@EventLoopActor () -> Void)?
  private var isReading = false
  /// Whether replies wait for the end of this turn of the loop.
  var sendsLater = false
  private var hasReadEverything = false
  /// What its user was told that it holds.
  private var heldBytes = 0
  /// Replies with descriptors that wait.
  private var heldReplies = HeldReplies()
  /// What has received the descriptors of the message that is being read.
  var job: PorterJob?
  /// A message of which the descriptors have come, and the rest does not.
  lazy var rest = Timer { [unowned self] in refuse("the rest of a message with descriptors does not come") }

  /// What is being waited for besides bytes.
  enum Pause {
    case none
    /// Another process receives what comes next.
    case descriptors
    /// A long message is being read elsewhere.
    case reading
  }

  /// So many calls are served before others have their turn.
  private static let batch = 16
  /// So many microseconds at most, if no single call takes longer.
  static let slice: UInt64 = 200
  /// Microseconds that the loop takes to find out that something can be read.
  private static let wakeUp: UInt64 = 3

  init(
    socket: consuming OwnedDescriptor, peer: PeerCredentials, slot: UserSlot, attachment: AnyObject?,
    isHandedOver: Bool, server: VarlinkServer
  ) throws(SystemError) {
    self.isHandedOver = isHandedOver
    number = socket.number
    self.socket = consume socket
    self.peer = peer
    self.slot = slot
    self.attachment = attachment
    self.server = server
    stream = PeerStream(server.limits)
    source = try IOSource(number, .readable) { [unowned self] events in handle(events) }
  }

  var user: ServedUser { slot.user }

  /// Whether the connection has ended.
  public var isClosed: Bool { source == nil }

  var isDrained: Bool { stream.writer.isEmpty }

  // MARK: Events

  private func handle(_ events: IOSource.Events) {
    // Being told that there is more costs time as well, and with many connections a good part of it.
    let begun = user.isResting ? EventLoop.shared.monotonicMicroseconds : nil
    defer {
      if let begun {
        let now = EventLoop.shared.monotonicMicroseconds
        user.share.spend(now - begun + Self.wakeUp, until: now)
      }
    }
    if events.contains(.writable) { flush() }
    let situation = stream.situation
    // A peer that closed both directions waits for nothing any more. Where it is not read from, nothing else finds that out.
    if !isClosed, !events.isDisjoint(with: [.hangup, .error]),
      !mayRead(situation) || hasReadEverything || hasUnreadReplies(situation)
    {
      close()
    }
    if !isClosed, mayRead(situation) {
      if !isQueued, !situation.holdsBytes { waitingSince = EventLoop.shared.readySince }
      waitForTurn()
      // It has had its turn, at the end of which this was looked at.
      if !isQueued { return }
    }
    updateInterest()
  }

  private func mayRead(_ situation: PeerStream.Situation) -> Bool {
    guard situation.isIdle, case .none = pause else { return false }
    return true
  }

  func updateInterest() {
    guard !isClosed else { return }
    updateInterest(stream.situation)
  }

  private func updateInterest(_ situation: PeerStream.Situation) {
    guard !isClosed else { return }
    var interest: IOSource.Events = []
    let waitsAsleep = isQueued && user.isResting
    let (pendingBytes, mayRead) = (situation.pendingBytes, mayRead(situation))
    if mayRead, !hasReadEverything, !hasUnreadReplies(situation), !waitsAsleep { interest.insert(.readable) }
    if pendingBytes > 0, !sendsLater, !situation.waitsForRoom { interest.insert(.writable) }
    // That a peer has gone is told whatever is waited for. Told over and over, it would count as its user's time, and that
    // user would rest for ever.
    if waitsAsleep { interest.insert(.once) }
    if let source, interest != source.interest { source.wait(for: interest) }
    account(situation)
    if hasReadEverything, mayRead, pendingBytes == 0, !isQueued { close() }
  }

  private func waitForTurn(isAgain: Bool = false) {
    guard !isQueued else { return }
    isQueued = true
    server.turns.add(self, isAgain: isAgain)
  }

  /// Reads on, after others have had their turn.
  func readOn() {
    guard !isReading, !isClosed else { return }
    waitForTurn(isAgain: true)
  }

  /// Does what may take long for a call when it has its turn, where that is counted, and not now.
  ///
  /// There is one at most: nothing is read while a call is served.
  func atNextTurn(_ body: @escaping @EventLoopActor () -> Void) {
    guard !isClosed else { return }
    due = body
    waitForTurn(isAgain: true)
    updateInterest()
  }

  /// Its turn: a call that was read elsewhere, or a batch of what the peer has sent.
  ///
  /// - Parameter now: CLOCK_MONOTONIC in microseconds.
  func takeTurn(at now: UInt64) {
    isQueued = false
    guard !isClosed else { return }
    if let due {
      self.due = nil
      due()
      goOn()
    } else {
      readCalls(since: now)
    }
  }

  // MARK: Calls

  private func readCalls(since begun: UInt64) {
    isReading = true
    var served = 0
    // Once in a turn: whoever asks again at once has its turn after the others.
    var receives = !hasReadEverything
    let end = begun + Self.slice
    var situation = stream.situation
    while !isClosed, mayRead(situation), !hasUnreadReplies(situation), situation.holdsBytes || receives {
      if served == Self.batch || served > 0 && EventLoop.shared.monotonicMicroseconds >= end { break }
      let isServed = serveNext(receives: &receives)
      situation = stream.situation
      guard isServed else { break }
      served += 1
    }
    isReading = false
    // The calls that are in the buffer already have no event to announce them.
    if !isClosed, mayRead(situation), situation.holdsBytes, served > 0, !hasUnreadReplies(situation) {
      readOn()
    }
    updateInterest(situation)
  }

  /// Whether what waits for the peer is too much for another call to be read. Descriptors that wait are open.
  private func hasUnreadReplies(_ situation: PeerStream.Situation) -> Bool {
    let pendingBytes = situation.pendingBytes
    guard pendingBytes > 0 else { return false }
    // What is sent together at the end of the turn is no more than there is room for: all else stays open until it is read.
    if situation.holdsDescriptors, !sendsLater || stream.writer.isFull(for: number) { return true }
    return pendingBytes > server.limits.unreadReplyBytes || user.heldBytes > server.mostHeldBytes
  }

  /// - Returns: whether there was a call.
  private func serveNext(receives: inout Bool) -> Bool {
    do throws(MessageReader.Failure) {
      switch try stream.next(from: number, receives: &receives, server) {
      case .message(let message, let arrival):
        begin(message, arrival)
        return true
      case .descriptors(let byteCount): receiveElsewhere(byteCount, from: number)
      case .nothing: break
      case .endOfStream:
        hasReadEverything = true
        if stream.reader.holdsBytes { refuse("the peer closed in the middle of a message") }
      }
    } catch {
      switch error {
      case .messageTooLong(let limit): refuse("a message of over \(limit) bytes")
      case .tooManyDescriptors, .descriptorsLost: refuse("too many descriptors with one message")
      case .system: close()
      }
    }
    return false
  }

  /// Tells its user's account what it holds. Who holds too much loses the connection that wants more.
  private func account(_ situation: PeerStream.Situation) {
    let held = situation.bytesOfMessages + situation.pendingBytes
    guard held != heldBytes else { return }
    user.hold(held - heldBytes)
    let isMore = held > heldBytes
    heldBytes = held
    if isMore, situation.holdsBytes, mayRead(situation), user.heldBytes > server.mostHeldBytes {
      refuse("the user's unfinished messages and unread replies have over \(server.mostHeldBytes) bytes")
    }
  }

  /// A call's first or only reply is taken whatever else is unread: who asks once gets an answer. Who asks so on many
  /// connections and reads none of it loses those that add to it.
  private func boundUnread() {
    guard !isClosed, !stream.writer.isEmpty, user.heldBytes > heldBytes,
      user.heldBytes > 2 * server.mostHeldBytes
    else { return }
    refuse("its user leaves over \(2 * server.mostHeldBytes) bytes unread")
  }

  // MARK: Replies

  func send(_ message: [UInt8], _ descriptors: DescriptorBatch?) {
    do throws(SystemError) {
      guard try !stream.send(message, descriptors, to: number) else { return }
      lookForRoom()
      updateInterest()
      boundUnread()
    } catch { close() }
  }

  /// Sends what answers one of several calls that were ready together: one after the other, so that who waits
  /// for many of them is not woken for each.
  func sendLater(_ message: [UInt8], _ descriptors: DescriptorBatch?) {
    stream.writer.queue(message, descriptors: descriptors)
    guard !sendsLater else { return }
    sendsLater = true
    EventLoop.shared.atEndOfTurn { [self] in
      sendsLater = false
      guard !isClosed else { return }
      flush()
      goOn()
      boundUnread()
    }
  }

  /// What is in the buffer may have waited for what has just happened.
  func goOn() {
    guard !isReading, !isClosed else { return }
    let situation = stream.situation
    if mayRead(situation), situation.holdsBytes { readOn() }
    updateInterest(situation)
  }

  private func flush() {
    do throws(SystemError) { try stream.writer.flush(to: number) } catch { return close() }
    forgetSent()
    lookForRoom()
    if stream.writer.isEmpty { call?.outputDrained() }
  }

  /// A reply with descriptors was given to the writer. Where it waits, it is looked at again when somebody may have lost what
  /// was theirs (``lookAgain(about:)``).
  ///
  /// - Parameters:
  ///   - topics: what that depends on.
  ///   - refusal: what is sent in its place; nil as long as it may be sent.
  func hold(
    _ descriptors: DescriptorBatch, about topics: @autoclosure () -> Set<AnyHashable>,
    _ refusal: @escaping HeldReplies.Refusal
  ) {
    guard !isClosed, stream.writer.holds(descriptors) else { return }
    let topics = topics()
    heldReplies.add(descriptors, about: topics, refusal)
    server.holding.add(self, about: topics)
  }

  /// Sends no reply with descriptors that its caller may not have any more.
  ///
  /// - Parameter topic: what has changed; nil for all.
  func lookAgain(about topic: AnyHashable?) {
    // What is asked may end the connection.
    let held = heldReplies
    let refused = held.refused(about: topic)
    guard !isClosed else { return }
    for (descriptors, message) in refused { stream.writer.replace(descriptors, with: message) }
    forgetSent()
    // An error waits for no room. Not sent here: who hears that all is sent would hear it in the middle of what is decided.
    if !refused.isEmpty, stream.writer.waitsForRoom { retry?.soon() }
    updateInterest()
  }

  private func forgetSent() {
    guard !heldReplies.isEmpty else { return }
    let former = heldReplies.topics
    heldReplies.keep { stream.writer.holds($0) }
    server.holding.remove(
      self, about: former.subtracting(heldReplies.topics), isLast: heldReplies.isEmpty)
  }

  private func lookForRoom() {
    guard stream.writer.waitsForRoom else { return retry?.end() ?? () }
    let retry = retry ?? .forPeer { [unowned self] in tryAgain() }
    self.retry = retry
    retry.later()
  }

  private func tryAgain() {
    flush()
    goOn()
  }

  // MARK: End

  func refuse(_ reason: String) {
    guard !isClosed else { return }
    server.statistics.violations += 1
    server.onRefusal(peer.uid, reason)
    close()
  }

  /// Ends it for what this process lacks.
  func runShort(_ reason: String) {
    guard !isClosed else { return }
    server.statistics.refused += 1
    server.onRefusal(peer.uid, reason)
    close()
  }

  /// Ends the connection. A call that is being served ends with it.
  public func close() {
    guard !isClosed else { return }
    if sendsLater { try? stream.writer.flush(to: number) }
    source?.cancel()
    source = nil
    rest.disarm()
    retry?.end()
    job?.end()
    job = nil
    if let socket = socket.take() { server.part(from: socket, stream.writer.unread, slot) }
    user.hold(-heldBytes)
    heldBytes = 0
    server.holding.remove(self, about: heldReplies.topics, isLast: true)
    heldReplies = HeldReplies()
    stream.session.close()
    due = nil
    let unfinished = call
    call = nil
    unfinished?.end()
    server.ended(self)
  }

  isolated deinit {
    source?.cancel()
  }
}
