import Testing

@testable import AnvilClient

/// Whose turn it is, without a clock.
@Suite struct RequestLineTests {
  private func line(_ requests: Int = .max, atOnce: Int = .max) -> RequestLine {
    RequestLine(RequestLine.Limits(requests: requests, interval: .seconds(10), atOnce: atOnce))
  }

  private func join(_ ids: Range<Int>, _ line: inout RequestLine, at now: Duration = .zero) {
    for id in ids { #expect(line.join(id, at: now, within: nil) == nil) }
  }

  @Test func withinAnyIntervalNoMoreStartThanAllowed() {
    var line = line(3)
    join(0..<8, &line)
    #expect(line.takeReady(at: .zero) == [0, 1, 2])
    #expect(line.nextStart(at: .zero) == .seconds(10))
    #expect(line.takeReady(at: .milliseconds(9_999)).isEmpty)
    line.forget(before: .seconds(10))
    #expect(line.takeReady(at: .seconds(10)) == [3, 4, 5])
    line.forget(before: .seconds(25))
    #expect(line.takeReady(at: .seconds(25)) == [6, 7])
    #expect(line.nextStart(at: .seconds(25)) == nil)
  }

  @Test func startsThatWereSpreadComeFreeOneByOne() {
    var line = line(2)
    join(0..<1, &line)
    #expect(line.takeReady(at: .zero) == [0])
    join(1..<4, &line, at: .seconds(4))
    #expect(line.takeReady(at: .seconds(4)) == [1])
    line.forget(before: .seconds(10))
    #expect(line.takeReady(at: .seconds(10)) == [2])
    #expect(line.nextStart(at: .seconds(10)) == .seconds(14))
  }

  @Test func noMoreAreUnderWayThanAllowed() {
    var line = line(atOnce: 2)
    join(0..<4, &line)
    #expect(line.takeReady(at: .zero) == [0, 1])
    // Time alone lets none go.
    #expect(line.nextStart(at: .zero) == nil)
    line.end(wasSent: true)
    #expect(line.takeReady(at: .zero) == [2])
    line.end(wasSent: true)
    line.end(wasSent: true)
    #expect(line.takeReady(at: .zero) == [3])
  }

  @Test func whoLeavesPassesTheTurnOn() {
    var line = line(1)
    join(0..<3, &line)
    #expect(line.takeReady(at: .zero) == [0])
    line.leave(1)
    line.forget(before: .seconds(10))
    #expect(line.takeReady(at: .seconds(10)) == [2])
  }

  @Test func whatWasNeverSentDoesNotCount() {
    var line = line(1, atOnce: 1)
    join(0..<2, &line)
    #expect(line.takeReady(at: .zero) == [0])
    line.end(wasSent: false)
    #expect(line.takeReady(at: .zero) == [1])
  }

  /// Two start in each interval of ten seconds, from now on.
  @Test(arguments: [(0, 0), (1, 0), (2, 10), (3, 10), (4, 20), (5, 20)]) func aWaitIsForeseen(before: Int, seconds: Int)
  {
    var line = line(2)
    join(0..<before, &line)
    _ = line.takeReady(at: .zero)
    #expect(line.join(99, at: .zero, within: .zero) == .seconds(seconds))
    #expect(line.join(99, at: .zero, within: .seconds(seconds)) == .seconds(seconds))
    #expect(line.join(99, at: .zero, within: .seconds(seconds + 1)) == nil)
  }

  @Test func aPauseHoldsAll() {
    var line = line()
    line.pause(until: .seconds(5))
    line.pause(until: .seconds(3))
    join(0..<2, &line)
    #expect(line.takeReady(at: .zero).isEmpty)
    #expect(line.nextStart(at: .zero) == .seconds(5))
    #expect(line.join(9, at: .zero, within: .seconds(4)) == .seconds(5))
    #expect(line.takeReady(at: .seconds(5)) == [0, 1])
  }

  @Test func aLineCountsUntilItsIntervalOrPauseIsOver() {
    var line = line(1)
    #expect(!line.isInUse && line.end == .zero)
    join(0..<1, &line)
    #expect(line.isInUse)
    _ = line.takeReady(at: .zero)
    #expect(line.isInUse)
    line.end(wasSent: true)
    #expect(!line.isInUse && line.end == .seconds(10))
    line.pause(until: .seconds(12))
    #expect(!line.isInUse && line.end == .seconds(12))
  }
}
