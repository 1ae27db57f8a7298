import Testing

@testable import Authorization

@Suite("The access log")
struct AccessLogTests {
  private let open = AccessEvent(.open, accessLevel: .readWrite)
  private let minute: Int64 = 60

  private func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_000_000 + seconds) }

  @Test("what is repeated within a minute is one row, with how often and when first and last")
  func repetition() throws {
    var book = AccessLogBook()
    for second in 0..<5 {
      let isNew = book.note(open, app: AppKey(uid: 1, appID: "a"), at: time(Int64(second)))
      #expect(isNew == (second == 0))
    }
    let rows = book.takeUnwritten(at: time(5))
    let row = try #require(rows.first)
    #expect(rows.count == 1)
    #expect(row.count == 5)
    #expect(row.first == time(0))
    #expect(row.last == time(4))
    #expect(!book.hasUnwritten)
  }

  @Test("another app, user, level, outcome or author is another row")
  func rows() {
    var book = AccessLogBook()
    let other = [
      AccessEvent(.add, accessLevel: .readWrite), AccessEvent(.open, accessLevel: .addOnly),
      AccessEvent(.open, accessLevel: .readWrite, outcome: "denied"),
      AccessEvent(.open, accessLevel: .readWrite, by: .init(.agent, uid: 1)),
    ]
    for event in [open] + other { _ = book.note(event, app: AppKey(uid: 1, appID: "a"), at: time(0)) }
    _ = book.note(open, app: AppKey(uid: 2, appID: "a"), at: time(0))
    _ = book.note(open, app: AppKey(uid: 1, appID: "b"), at: time(0))
    #expect(Set(book.unwrittenRows.map(\.id)).count == 7)
  }

  @Test(
    "decisions are told in the order in which they were made, also within a minute; like ones in a row are one"
  )
  func decisions() {
    var book = AccessLogBook()
    func note(_ outcome: String, _ level: AccessLevel = .readWrite, uid: UInt32 = 1) {
      let event = AccessEvent(.decision, accessLevel: level, outcome: outcome, by: .init(.settings, uid: 0))
      _ = book.note(event, app: AppKey(uid: uid, appID: "a"), at: time(0))
    }
    for outcome in ["authorized", "authorized", "denied", "authorized"] {
      note(outcome)
      // Those about another record are none of its.
      note("denied", .addOnly)
      note("denied", uid: 2)
    }
    let rows = book.takeUnwritten(at: time(1)).sorted { $0.id < $1.id }
    let about = rows.filter { $0.uid == 1 && $0.event.accessLevel == .readWrite }
    #expect(about.map(\.event.outcome) == ["authorized", "denied", "authorized"])
    #expect(about.map(\.count) == [2, 1, 1])
    #expect(rows.filter { $0.uid == 2 || $0.event.accessLevel == .addOnly }.map(\.count) == [4, 4])
  }

  @Test("how many assets it was about is told of all times together, and makes no row of its own")
  func assets() {
    var book = AccessLogBook()
    let delete = AccessEvent(.delete, accessLevel: .readWrite)
    let refused = AccessEvent(.delete, accessLevel: .readWrite, outcome: "userRefused")
    for (event, assets) in [(delete, 3), (refused, 7), (delete, 1), (open, nil)] {
      _ = book.note(event, assets: assets, app: AppKey(uid: 1, appID: "a"), at: time(0))
    }
    let rows = Dictionary(uniqueKeysWithValues: book.unwrittenRows.map { ($0.event, $0) })
    #expect(rows.count == 3)
    #expect(rows[delete]?.count == 2 && rows[delete]?.assets == 4)
    #expect(rows[refused]?.count == 1 && rows[refused]?.assets == 7)
    #expect(rows[open]?.count == 1 && rows[open]?.assets == nil)
  }

  @Test("of apps that are told together, what was refused is not told with what was done")
  func togetherByOutcome() {
    var book = AccessLogBook()
    for number in 0..<AccessLogBook.rowsPerUser {
      _ = book.note(open, app: AppKey(uid: 1, appID: "app\(number)"), at: time(0))
    }
    for outcome in [nil, "userRefused", nil] {
      let event = AccessEvent(.delete, accessLevel: .readWrite, outcome: outcome)
      _ = book.note(event, assets: 2, app: AppKey(uid: 1, appID: "one more"), at: time(0))
    }
    let together = book.unwrittenRows.filter { $0.appID == AccessLogBook.manyApps }
    #expect(
      Set(together.map(\.event)) == [AccessEvent(.delete), AccessEvent(.delete, outcome: "userRefused")])
    #expect(Set(together.map(\.assets)) == [4, 2])
  }

  @Test("a row that was written is written again, as the same row, when it is repeated")
  func rewritten() throws {
    var book = AccessLogBook()
    _ = book.note(open, app: AppKey(uid: 1, appID: "a"), at: time(0))
    let first = try #require(book.takeUnwritten(at: time(5)).first)
    _ = book.note(open, app: AppKey(uid: 1, appID: "a"), at: time(10))
    let second = try #require(book.takeUnwritten(at: time(15)).first)
    #expect(second.id == first.id)
    #expect(second.revision > first.revision)
    #expect(second.count == 2)
  }

  @Test("after a minute, or when the clock was set back, a repetition is a new row", arguments: [60, -61])
  func newRow(offset: Int64) {
    var book = AccessLogBook()
    _ = book.note(open, app: AppKey(uid: 1, appID: "a"), at: time(0))
    let isNew = book.note(open, app: AppKey(uid: 1, appID: "a"), at: time(offset))
    #expect(isNew)
    let rows = book.takeUnwritten(at: time(offset))
    #expect(rows.map(\.count) == [1, 1])
  }

  @Test("what could not be written is written later, with what happened meanwhile")
  func failure() {
    var book = AccessLogBook()
    _ = book.note(open, app: AppKey(uid: 1, appID: "a"), at: time(0))
    let rows = book.takeUnwritten(at: time(5))
    book.failed(rows)
    _ = book.note(open, app: AppKey(uid: 1, appID: "a"), at: time(6))
    let again = book.takeUnwritten(at: time(7))
    #expect(again.map(\.count) == [2])
    // Also when its minute is over by then.
    _ = book.note(open, app: AppKey(uid: 1, appID: "b"), at: time(7))
    book.failed(book.takeUnwritten(at: time(70)))
    let late = book.takeUnwritten(at: time(80))
    #expect(late.map(\.appID) == ["b"])
  }

  @Test("a user's processes fill neither memory nor the disk, whatever apps they pose as")
  func bounded() {
    var book = AccessLogBook()
    for number in 0..<10_000 { _ = book.note(open, app: AppKey(uid: 1, appID: "app\(number)"), at: time(0)) }
    _ = book.note(open, app: AppKey(uid: 2, appID: "other"), at: time(0))
    let rows = book.takeUnwritten(at: time(1))
    #expect(rows.count <= AccessLogBook.rowsPerUser + AccessEvent.Kind.allCases.count + 1)
    #expect(rows.reduce(0) { $0 + $1.count } == 10_001)
    #expect(rows.contains { $0.appID == AccessLogBook.manyApps && $0.uid == 1 })
    #expect(rows.contains { $0.appID == "other" }, "nobody else is told together for it")
  }

  @Test("a user's subordinate ids have the rows of one user, however many they are")
  func subordinateIDs() {
    var book = AccessLogBook()
    for number: UInt32 in 0..<10_000 {
      let app = AppKey(uid: 100_000 + number, appID: "a")
      _ = book.note(open, app: app, accountable: 1, at: time(0))
    }
    let rows = book.takeUnwritten(at: time(1))
    #expect(rows.count == AccessLogBook.rowsPerUser + 1)
    #expect(rows.reduce(0) { $0 + $1.count } == 10_000)
    #expect(rows.contains { $0.app == AppKey(uid: 1, appID: AccessLogBook.manyApps) })
    #expect(rows.allSatisfy { $0.accountable == 1 })
    // Their minute is over: there is room again.
    _ = book.note(open, app: AppKey(uid: 99_999, appID: "late"), accountable: 1, at: time(70))
    #expect(book.takeUnwritten(at: time(71)).map(\.appID) == ["late"])
    // Nor do they push out others, while nothing can be written.
    _ = book.note(open, app: AppKey(uid: 2, appID: "quiet"), at: time(100))
    for minute: Int64 in 2..<40 {
      for number in 0..<UInt32(AccessLogBook.rowsPerUser) {
        let app = AppKey(uid: 100_000 + UInt32(minute) * 1000 + number, appID: "a")
        _ = book.note(open, app: app, accountable: 1, at: time(minute * 61))
      }
      book.failed(book.takeUnwritten(at: time(minute * 61 + 60)))
    }
    #expect(book.lost > 0 && book.unwrittenRows.contains { $0.appID == "quiet" })
  }

  @Test("a store that never works costs bounded memory, and what is lost is counted")
  func lost() {
    var book = AccessLogBook()
    for minute in 0..<20 {
      for app in 0..<AccessLogBook.rowsPerUser {
        _ = book.note(open, app: AppKey(uid: 1, appID: "\(app)"), at: time(Int64(minute) * 61))
      }
      book.failed(book.takeUnwritten(at: time(Int64(minute) * 61 + 60)))
    }
    #expect(book.unwrittenRows.count == AccessLogBook.unwrittenLimit)
    #expect(book.lost == 20 * AccessLogBook.rowsPerUser - AccessLogBook.unwrittenLimit)
  }

  @Test("while nothing can be written, a user who does much does not push out what others did")
  func share() {
    var book = AccessLogBook()
    _ = book.note(open, app: AppKey(uid: 2, appID: "quiet"), at: time(0))
    for minute in 0..<40 {
      for app in 0..<AccessLogBook.rowsPerUser {
        _ = book.note(open, app: AppKey(uid: 1, appID: "\(app)"), at: time(Int64(minute) * 61))
      }
      book.failed(book.takeUnwritten(at: time(Int64(minute) * 61 + 60)))
    }
    #expect(book.unwrittenRows.count == AccessLogBook.unwrittenLimit)
    #expect(book.unwrittenRows.contains { $0.uid == 2 && $0.appID == "quiet" })
    #expect(book.unwrittenRows.last?.appID == "\(AccessLogBook.rowsPerUser - 1)", "of its own the oldest go")
  }

  @Test("a reader goes on from its place in memory, until rows are known to the store alone")
  func places() {
    var book = AccessLogBook(lastID: 7, revision: 40)
    #expect(book.rows(after: 39) == nil)
    #expect(book.rows(after: 40) == [])
    _ = book.note(open, app: AppKey(uid: 1, appID: "a"), at: time(0))
    _ = book.note(open, app: AppKey(uid: 1, appID: "b"), at: time(1))
    #expect(book.rows(after: 40)?.map(\.appID) == ["a", "b"])
    #expect(book.rows(after: 40)?.map(\.id) == [8, 9])
    _ = book.note(open, app: AppKey(uid: 1, appID: "a"), at: time(2))
    #expect(book.rows(after: 42)?.map(\.appID) == ["a"], "only what changed after the place")
    _ = book.takeUnwritten(at: time(5))
    #expect(book.rows(after: 42)?.map(\.appID) == ["a"], "written, and still known")
    _ = book.takeUnwritten(at: time(100))
    #expect(book.rows(after: 42) == nil)
    #expect(book.rows(after: 43) == [])
  }

  @Test("a long detail is cut")
  func detail() {
    #expect(AccessEvent(.delete, detail: String(repeating: "x", count: 100_000)).detail?.count == 200)
  }
}

extension AccessLogBook {
  /// Of a user without subordinate ids.
  fileprivate mutating func note(
    _ event: AccessEvent, assets: Int? = nil, app: AppKey, at now: Timestamp
  ) -> Bool {
    note(event, assets: assets, app: app, accountable: app.uid, at: now)
  }
}
