import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// The state that is kept per origin, its retention, and the cost of its maintenance.
@Suite(.timeLimit(.minutes(15))) struct OriginTableTests {
  /// A number with its retention.
  private struct Entry: Equatable {
    var value = 0
    var retention = OriginTable<Entry>.Retention.until(.zero)
  }

  private func table(_ capacity: Int, retentionCalls: Counter = Counter()) -> OriginTable<Entry> {
    OriginTable(
      capacity: capacity, makeState: { Entry() },
      retention: {
        _ = retentionCalls.next()
        return $0.retention
      })
  }

  private func origin(_ number: Int) throws -> HTTP.Origin {
    try #require(URL(string: "https://h\(number).example").flatMap { HTTP.Origin($0) })
  }

  @Test func stateIsKeptUntilItExpires() throws {
    var table = table(10)
    let origin = try origin(1)
    table.change(origin, at: .zero) { $0 = Entry(value: 7, retention: .until(.seconds(5))) }
    #expect(table[origin]?.value == 7)
    #expect(table.change(origin, at: .milliseconds(4_999)) { $0.value } == 7)
    // After its end, the entry no longer counts, even if it has not been removed yet.
    #expect(table.change(origin, at: .seconds(5)) { $0.value } == 0)
    #expect(table.count == 0)
  }

  @Test func expiredStateOfOtherOriginsIsRemoved() throws {
    var table = table(.max)
    for number in 0..<100 {
      table.change(try origin(number), at: .zero) { $0.retention = .until(.seconds(5)) }
    }
    #expect(table.count == 100)
    table.change(try origin(100), at: .seconds(5)) { $0.retention = .until(.seconds(9)) }
    #expect(table.count == 1)
  }

  @Test func theLeastRecentlyUsedStateIsRemovedBeyondTheCapacity() throws {
    var table = table(3)
    for number in [0, 1, 2, 0, 3] {
      table.change(try origin(number), at: .zero) { $0 = Entry(value: 1, retention: .until(.seconds(5))) }
    }
    #expect(try (0..<4).map { table[try origin($0)] != nil } == [true, false, true, true])
  }

  @Test func stateInUseIsNeverRemoved() throws {
    var table = table(2)
    for number in 0..<50 { table.change(try origin(number), at: .zero) { $0 = Entry(value: 1, retention: .inUse) } }
    for number in 50..<99 {
      table.change(try origin(number), at: .seconds(number)) { $0.retention = .until(.seconds(1_000)) }
    }
    #expect(table.count == 52)
    #expect(try (0..<50).allSatisfy { table[try origin($0)]?.value == 1 })
    for number in 0..<50 { table.change(try origin(number), at: .zero) { $0.retention = .until(.zero) } }
    #expect(table.count == 2)
  }

  @Test func eachChangeDeterminesTheRetentionOnce() throws {
    let calls = Counter()
    var table = table(1_000, retentionCalls: calls)
    for number in 0..<20_000 {
      table.change(try origin(number), at: .milliseconds(number)) { $0.retention = .until(.seconds(100)) }
    }
    #expect(calls.value == 20_000 && table.count == 1_000)
  }

  /// Compared with a list that is searched.
  @Test(arguments: 0..<20) func behavesLikeASimpleList(seed: UInt64) throws {
    var random = Data.random(3_000, seed: seed + 1).map(Int.init).makeIterator()
    let capacity = 4
    var table = table(capacity)
    /// The entries in the order of their last use.
    var list: [(origin: Int, entry: Entry)] = []
    for step in 0..<1_000 {
      let (number, kind, length) = (random.next() ?? 0, random.next() ?? 0, random.next() ?? 0)
      let now = Duration.seconds(step)
      let key = number % 12
      let retention: OriginTable<Entry>.Retention =
        kind % 3 == 0 ? .inUse : .until(now + .seconds(kind % 3 == 1 ? 6 : length % 2 == 0 ? 6 : 0))
      let change = { (entry: inout Entry) in
        entry.value += 1
        entry.retention = retention
      }
      table.change(try origin(key), at: now, change)

      var entry = Entry()
      if let index = list.firstIndex(where: { $0.origin == key }) {
        let old = list.remove(at: index).entry
        if case .until(let end) = old.retention, end <= now {} else { entry = old }
      }
      change(&entry)
      list.append((key, entry))
      list.removeAll { if case .until(let end) = $0.entry.retention { end <= now } else { false } }
      let idle = list.filter { $0.entry.retention != .inUse }
      for dropped in idle.dropLast(capacity) { list.removeAll { $0.origin == dropped.origin } }

      #expect(table.count == list.count)
      for (key, entry) in list { #expect(try table[origin(key)] == entry) }
    }
  }

  // MARK: Uses of the table

  private func request(_ number: Int) throws -> HTTP.Request {
    HTTP.Request(url: try #require(URL(string: "https://h\(number).example/x")))
  }

  @Test func aRateLimiterForgetsOriginsAfterTheirInterval() async throws {
    let clock = TestClock()
    let limiter = RateLimiter(requests: 1, per: .seconds(10), clock: clock)
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    for number in 0..<300 { _ = await limiter.interceptor.outcome(of: try request(number), over: session) }
    #expect(limiter.originCount == 300)
    clock.advance(by: .seconds(10))
    _ = await limiter.interceptor.outcome(of: try request(0), over: session)
    #expect(limiter.originCount == 1)
  }

  @Test func aCircuitBreakerForgetsOriginsThatFailedLongAgo() async throws {
    let clock = TestClock()
    let breaker = CircuitBreaker(failureLimit: 2, pause: .seconds(1), clock: clock)
    let session = ScriptedSession { $0 < 300 ? ScriptedSession.respond(503) : ScriptedSession.respond(200) }
    for number in 0..<300 { _ = await breaker.interceptor.outcome(of: try request(number), over: session) }
    #expect(breaker.originCount == 300)
    clock.advance(by: .seconds(601))
    _ = await breaker.interceptor.outcome(of: try request(300), over: session)
    #expect(breaker.originCount == 0)
  }

  @Test func aRetryBudgetForgetsOriginsBeyondItsWindow() throws {
    let clock = TestClock()
    let budget = RetryPolicy.Budget(window: .seconds(10), clock: clock)
    for number in 0..<300 { budget.countRequest(to: try origin(number)) }
    #expect(budget.originCount == 300)
    clock.advance(by: .seconds(10))
    budget.countRequest(to: try origin(0))
    #expect(budget.originCount == 1)
  }
}
