import Testing

@testable import Varlink

extension ServerSession {
  fileprivate mutating func received(_ text: String) -> CallAction {
    Array(text.utf8).withUnsafeBufferPointer { received($0) }
  }
}

@Suite("The server's state machine")
struct ServerSessionTests {
  @Test("one call at a time, replies in order")
  func order() {
    var session = ServerSession()
    #expect(session.received(#"{"method":"a.b.C"}"#) == .serve(Call(method: "a.b.C")))
    let isIdle0 = session.isIdle
    #expect(!isIdle0)
    #expect(session.reply(continues: false) == .sendAndFinish)
    let isIdle1 = session.isIdle
    #expect(isIdle1)
    #expect(session.reply(continues: false) == .drop)
  }

  @Test("more: many replies, and the last ends the call")
  func more() {
    var session = ServerSession()
    _ = session.received(#"{"method":"a.b.C","more":true}"#)
    #expect(session.reply(continues: true) == .send)
    #expect(session.reply(continues: true) == .send)
    #expect(session.reply(continues: false) == .sendAndFinish)
  }

  @Test("a caller that did not ask for more gets one reply")
  func noMore() {
    var session = ServerSession()
    _ = session.received(#"{"method":"a.b.C"}"#)
    #expect(session.reply(continues: true) == .sendAndFinish)
    #expect(session.reply(continues: false) == .drop)
  }

  @Test("oneway gets no reply, not even an error")
  func oneway() {
    var session = ServerSession()
    _ = session.received(#"{"method":"a.b.C","oneway":true}"#)
    #expect(session.reply(continues: true) == .drop)
    #expect(session.reply(continues: false) == .dropAndFinish)
    let isIdle2 = session.isIdle
    #expect(isIdle2)
  }

  @Test("a violation closes, and nothing is served after it")
  func violation() {
    var session = ServerSession()
    guard case .close = session.received("{}") else {
      Issue.record("not closed")
      return
    }
    guard case .close = session.received(#"{"method":"a.b.C"}"#) else {
      Issue.record("served after the end")
      return
    }
    #expect(session.reply(continues: false) == .drop)
  }
}

@Suite("The client's state machine")
struct ClientSessionTests {
  private func outcome(_ session: inout ClientSession<String>, _ text: String) -> String {
    let action = Array(text.utf8).withUnsafeBufferPointer { session.received($0) }
    switch action {
    case .deliver(let handle, _): return "deliver \(handle)"
    case .finish(let handle, _): return "finish \(handle)"
    case .close: return "close"
    }
  }

  @Test("replies belong to calls in their order; oneway calls have none")
  func order() {
    var session = ClientSession<String>()
    session.sent(Call(method: "a.b.A", wantsMore: true), "A")
    session.sent(Call(method: "a.b.B", isOneway: true), "B")
    session.sent(Call(method: "a.b.C"), "C")
    #expect(outcome(&session, #"{"continues":true}"#) == "deliver A")
    #expect(outcome(&session, "{}") == "finish A")
    #expect(outcome(&session, #"{"error":"a.b.E"}"#) == "finish C")
    let isIdle3 = session.isIdle
    #expect(isIdle3)
  }

  @Test("replies that nobody asked for end the connection")
  func violations() {
    var idle = ClientSession<String>()
    #expect(outcome(&idle, "{}") == "close")
    var single = ClientSession<String>()
    single.sent(Call(method: "a.b.A"), "A")
    #expect(outcome(&single, #"{"continues":true}"#) == "close")
  }
}
