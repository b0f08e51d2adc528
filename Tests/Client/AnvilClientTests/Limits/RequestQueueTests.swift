import Testing

@testable import AnvilClient

/// The order and the times at which requests start, without a clock.
@Suite struct RequestQueueTests {
  private func queue(_ requests: Int = .max, concurrencyLimit: Int = .max) -> RequestQueue<Int> {
    RequestQueue(RequestQueue.Limits(requests: requests, interval: .seconds(10), concurrencyLimit: concurrencyLimit))
  }

  private func join(_ ids: Range<Int>, _ queue: inout RequestQueue<Int>, at now: Duration = .zero) {
    for id in ids { #expect(queue.join(id, id: id, at: now, within: nil) == nil) }
  }

  @Test func requestsPerIntervalAreLimited() {
    var queue = queue(3)
    join(0..<8, &queue)
    #expect(queue.takeReady(at: .zero) == [0, 1, 2])
    #expect(queue.nextStart(at: .zero) == .seconds(10))
    #expect(queue.takeReady(at: .milliseconds(9_999)).isEmpty)
    queue.forget(before: .seconds(10))
    #expect(queue.takeReady(at: .seconds(10)) == [3, 4, 5])
    queue.forget(before: .seconds(25))
    #expect(queue.takeReady(at: .seconds(25)) == [6, 7])
    #expect(queue.nextStart(at: .seconds(25)) == nil)
  }

  @Test func startsStopCountingOneByOne() {
    var queue = queue(2)
    join(0..<1, &queue)
    #expect(queue.takeReady(at: .zero) == [0])
    join(1..<4, &queue, at: .seconds(4))
    #expect(queue.takeReady(at: .seconds(4)) == [1])
    queue.forget(before: .seconds(10))
    #expect(queue.takeReady(at: .seconds(10)) == [2])
    #expect(queue.nextStart(at: .seconds(10)) == .seconds(14))
  }

  @Test func requestsInProgressAreLimited() {
    var queue = queue(concurrencyLimit: 2)
    join(0..<4, &queue)
    #expect(queue.takeReady(at: .zero) == [0, 1])
    // No request starts only because time has passed.
    #expect(queue.nextStart(at: .zero) == nil)
    queue.end(wasSent: true)
    #expect(queue.takeReady(at: .zero) == [2])
    queue.end(wasSent: true)
    queue.end(wasSent: true)
    #expect(queue.takeReady(at: .zero) == [3])
  }

  @Test func aRequestThatLeavesLetsTheNextOneStart() {
    var queue = queue(1)
    join(0..<3, &queue)
    #expect(queue.takeReady(at: .zero) == [0])
    #expect(queue.leave(1) == 1)
    #expect(queue.leave(1) == nil && queue.leave(0) == nil)
    queue.forget(before: .seconds(10))
    #expect(queue.takeReady(at: .seconds(10)) == [2])
  }

  @Test func aRequestThatWasNotSentDoesNotCount() {
    var queue = queue(1, concurrencyLimit: 1)
    join(0..<2, &queue)
    #expect(queue.takeReady(at: .zero) == [0])
    queue.end(wasSent: false)
    #expect(queue.takeReady(at: .zero) == [1])
  }

  /// Two requests start in each interval of ten seconds.
  @Test(arguments: [(0, 0), (1, 0), (2, 10), (3, 10), (4, 20), (5, 20)]) func theWaitingTimeIsPredicted(
    before: Int, seconds: Int
  ) {
    var queue = queue(2)
    join(0..<before, &queue)
    _ = queue.takeReady(at: .zero)
    #expect(queue.join(99, id: 99, at: .zero, within: .zero) == .seconds(seconds))
    #expect(queue.join(99, id: 99, at: .zero, within: .seconds(seconds)) == .seconds(seconds))
    #expect(queue.join(99, id: 99, at: .zero, within: .seconds(seconds + 1)) == nil)
  }

  @Test func aPauseDelaysAllRequests() {
    var queue = queue()
    queue.pause(until: .seconds(5))
    queue.pause(until: .seconds(3))
    join(0..<2, &queue)
    #expect(queue.takeReady(at: .zero).isEmpty)
    #expect(queue.nextStart(at: .zero) == .seconds(5))
    #expect(queue.join(9, id: 9, at: .zero, within: .seconds(4)) == .seconds(5))
    #expect(queue.takeReady(at: .seconds(5)) == [0, 1])
  }

  @Test func aQueueIsKeptUntilItsIntervalOrPauseEnds() {
    var queue = queue(1)
    #expect(!queue.isInUse && queue.end == .zero)
    join(0..<1, &queue)
    #expect(queue.isInUse)
    _ = queue.takeReady(at: .zero)
    #expect(queue.isInUse)
    queue.end(wasSent: true)
    #expect(!queue.isInUse && queue.end == .seconds(10))
    queue.pause(until: .seconds(12))
    #expect(!queue.isInUse && queue.end == .seconds(12))
  }
}
