import AnvilTestSupport
import Testing

@testable import AnvilClient

/// The effects of cancellation.
@Suite(.timeLimit(.minutes(15))) struct PromiseCancellationTests {
  let log = Log<String>()

  /// Waits until `count` promises and tasks wait for the outcome.
  private func waitForDependants(_ count: Int, of state: PromiseState) async {
    await waitUntil { state.dependantCount >= count }
  }

  @Test func cancellingSettlesAtOnceAndStopsTheWork() async throws {
    let gate = Gate()
    let promise = Promise.gated(gate, 1, log)
    await gate.waitForArrivals()
    promise.cancel()
    #expect(await promise.error is CancellationError)
    try await log.wait()
    #expect(log.entries == ["cancelled"])
  }

  @Test func workThatIgnoresCancellationDoesNotDelayTheOutcome() async throws {
    let gate = Gate()
    let promise = Promise { await Task { try? await gate.pass() }.value }
    promise.cancel()
    #expect(await promise.error is CancellationError)
    gate.open()
  }

  @Test func cancellingASettledPromiseDoesNothing() async throws {
    let promise = Promise.kept(1)
    promise.cancel()
    #expect(try await promise.value == 1)
  }

  @Test func dependentsOfACancelledPromiseFail() async throws {
    let promise = Promise.gated(Gate(), 1)
    let end = promise.map { $0 }.then { $0 }.then { Promise.kept($0) }
    promise.cancel()
    #expect(await end.error is CancellationError)
  }

  @Test func cancellingTheEndOfAChainCancelsTheWork() async throws {
    let gate = Gate()
    let end = Promise.gated(gate, 1, log).map { $0 }.then { $0 }.recover { _ in 0 }.finally {}
    await gate.waitForArrivals()
    end.cancel()
    try await log.wait()
    #expect(log.entries == ["cancelled"])
  }

  @Test func aRetainedPromiseContinuesAfterItsObserversAreCancelled() async throws {
    let gate = Gate()
    let held = Promise.gated(gate, 1, log)
    held.map { $0 }.cancel()
    let task = Task { try await held.value }
    await waitForDependants(1, of: held.state)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    #expect(try await held.value == 1)
    #expect(log.entries == ["done"])
  }

  @Test func releasingAPromiseWithoutObserversCancelsItsWork() async throws {
    var held: Promise<Int>? = Promise.gated(Gate(), 1, log)
    held?.map { $0 }.cancel()
    #expect(log.entries.isEmpty)
    held = nil
    try await log.wait()
    #expect(log.entries == ["cancelled"])
  }

  @Test func aNewObserverKeepsTheWorkRunning() async throws {
    let gate = Gate()
    var held: Promise<Int>? = Promise.gated(gate, 1, log)
    held?.map { $0 }.cancel()
    let later = held?.map { $0 + 1 }
    held = nil
    gate.open()
    #expect(try await later?.value == 2)
  }

  @Test func workContinuesWhileAnObserverRemains() async throws {
    let gate = Gate()
    let promise = Promise.gated(gate, 1, log)
    let (left, right) = (promise.map { $0 }, promise.map { $0 + 1 })
    left.cancel()
    #expect(await left.error is CancellationError)
    gate.open()
    #expect(try await right.value == 2)
    #expect(log.entries == ["done"])
  }

  @Test func cancellingTheOnlyWaitingTaskCancelsTheWork() async throws {
    var held: Promise<Int>? = Promise.gated(Gate(), 1, log)
    let state = try #require(held).state
    let task = Task { [held] in try await held?.value }
    held = nil
    await waitForDependants(1, of: state)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await log.wait()
    #expect(log.entries == ["cancelled"])
  }

  @Test func cancellingOneWaitingTaskDoesNotAffectOthers() async throws {
    let gate = Gate()
    let promise = Promise.gated(gate, 1, log)
    let kept = promise.map { $0 }
    let task = Task { try await promise.value }
    await waitForDependants(2, of: promise.state)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    #expect(try await kept.value == 1)
    #expect(log.entries == ["done"])
  }

  @Test func cancellingAStepStopsItsTask() async throws {
    let step = Promise.kept(1).then { [log] _ in
      log.note("began")
      return try await Promise.gated(Gate(), 1, log).value
    }
    try await log.wait()
    step.cancel()
    #expect(await step.error is CancellationError)
    try await log.wait(for: 2)
    #expect(log.entries == ["began", "cancelled"])
  }

  @Test func cancellingAStepCancelsThePromiseThatItReturned() async throws {
    let step = Promise.kept(1).then { [log] _ -> Promise<Int> in
      log.note("made")
      return Promise.gated(Gate(), 1, log)
    }
    try await log.wait()
    step.cancel()
    try await log.wait(for: 2)
    #expect(log.entries == ["made", "cancelled"])
  }

  @Test func observersAreNotifiedOfTheirOwnCancellation() async throws {
    let promise = Promise.gated(Gate(), 1)
    let observed = promise.catch { [log] in log.note("\(type(of: $0))") }
    observed.cancel()
    try await log.wait()
    #expect(log.entries == ["CancellationError"])
    Promise.gated(Gate(), 1).finally { [log] in log.note("finally, \(Task.isCancelled)") }.cancel()
    try await log.wait(for: 2)
    #expect(log.entries.last == "finally, false")
  }

  @Test func runningObserversAreNotCancelled() async throws {
    let gate = Gate()
    let observed = Promise.kept(1).finally { [log] in
      log.note("began")
      log.note((try? await gate.pass()) == nil ? "cancelled" : "cleaned up")
    }
    try await log.wait()
    observed.cancel()
    #expect(await observed.error is CancellationError)
    gate.open()
    try await log.wait(for: 2)
    #expect(log.entries == ["began", "cleaned up"])
  }

  @Test func cancellingAllCancelsEachPromise() async throws {
    let gate = Gate()
    let all = Promise.all((0..<3).map { Promise.gated(gate, $0, log) })
    await gate.waitForArrivals(3)
    all.cancel()
    try await log.wait(for: 3)
    #expect(log.entries == ["cancelled", "cancelled", "cancelled"])
  }

  @Test func aLongChainIsCancelledWithoutRecursion() async throws {
    var promise = Promise.gated(Gate(), 0, log)
    for _ in 0..<100_000 { promise = promise.map { $0 + 1 } }
    promise.cancel()
    try await log.wait()
    #expect(log.entries == ["cancelled"])
  }
}
