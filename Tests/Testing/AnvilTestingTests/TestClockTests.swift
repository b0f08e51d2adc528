import AnvilTesting
import Testing

@Suite(.timeLimit(.minutes(15))) struct TestClockTests {
  @Test func instantsAreMeasuredAndCompared() {
    let clock = TestClock()
    clock.advance(by: .seconds(10))
    let (now, later) = (clock.now, clock.now.advanced(by: .seconds(3)))
    #expect(now.duration(to: later) == .seconds(3) && later.duration(to: now) == .seconds(-3))
    #expect(now < later && !(later < now))
  }

  @Test func sleepersAreWokenInTheOrderOfTheirDeadlines() async throws {
    let clock = TestClock()
    let (woken, wake) = AsyncStream.makeStream(of: Int.self)
    let sleepers = [3, 1, 2].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        wake.yield(seconds)
      }
    }
    await clock.waitForSleepers(3)
    for seconds in 1...3 {
      clock.advance(by: .seconds(1))
      #expect(await woken.first { _ in true } == seconds)
    }
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test func waitingForSleepersEndsWithTheTask() async {
    let clock = TestClock()
    let waiting = Task { await clock.waitForSleepers(1) }
    waiting.cancel()
    await waiting.value
  }
}
