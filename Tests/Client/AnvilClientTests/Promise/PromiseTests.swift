import AnvilClient
import AnvilTestSupport
import Testing

/// The results of promises that are not cancelled.
@Suite(.timeLimit(.minutes(15))) struct PromiseTests {
  @Test func theValueCanBeReadRepeatedly() async throws {
    let runs = Log<Int>()
    let promise = Promise {
      runs.note(1)
      return 7
    }
    #expect(try await promise.value == 7)
    #expect(try await promise.value == 7)
    #expect(try await promise.result.get() == 7)
    #expect(runs.entries == [1])
  }

  @Test func workStartsEagerly() async throws {
    let log = Log<String>()
    _ = Promise { log.note("began") }
    try await log.wait()
  }

  @Test func failsWithTheErrorOfItsWork() async throws {
    let promise = Promise<Int> { throw Mishap(number: 1) }
    await #expect(throws: Mishap(number: 1)) { try await promise.value }
    #expect(await promise.error as? Mishap == Mishap(number: 1))
  }

  @Test func canBeCreatedSettled() async throws {
    #expect(try await Promise.kept("a").value == "a")
    #expect(await Promise<Int>.failed(Mishap()).error is Mishap)
  }

  @Test func manyTasksCanAwaitTheValue() async throws {
    let gate = Gate()
    let promise = Promise.gated(gate, "value")
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<200 { group.addTask { try await promise.value } }
      gate.open()
      for try await value in group { #expect(value == "value") }
    }
  }

  // MARK: Then

  @Test(arguments: [true, false])
  func stepsRunInSequence(isSettledBefore: Bool) async throws {
    let gate = Gate()
    let promise = Promise.gated(gate, 1)
    if isSettledBefore {
      gate.open()
      _ = try await promise.value
    }
    let text =
      promise
      .map { $0 + 1 }
      .then { value in value * 10 }
      .then { value async throws in try await Promise.kept(value + 3).value }
      .then { value in Promise { "\(value)" } }
      .then { text -> Promise<String> in
        await Task.yield()
        return Promise.kept(text + "!")
      }
    gate.open()
    #expect(try await text.value == "23!")
  }

  @Test func aFailureSkipsTheStepsThatDoNotHandleIt() async throws {
    let log = Log<String>()
    let end = Promise<Int> { throw Mishap() }
      .map { value -> Int in
        log.note("map")
        return value
      }
      .then { value -> Int in
        log.note("then")
        return value
      }
      .then { value -> Promise<Int> in
        log.note("promise")
        return Promise.kept(value)
      }
    #expect(await end.error is Mishap)
    #expect(log.entries.isEmpty)
  }

  @Test func stepsFailWithTheErrorThatTheyThrow() async throws {
    let one = Promise.kept(1)
    #expect(await one.map { _ -> Int in throw Mishap(number: 1) }.error as? Mishap == Mishap(number: 1))
    #expect(await one.then { _ -> Int in throw Mishap(number: 2) }.error as? Mishap == Mishap(number: 2))
    #expect(await one.then { _ -> Promise<Int> in throw Mishap(number: 3) }.error as? Mishap == Mishap(number: 3))
    #expect(await one.then { _ in Promise<Int>.failed(Mishap(number: 4)) }.error as? Mishap == Mishap(number: 4))
  }

  @Test func closuresRunOnTheGivenActor() async throws {
    actor Counter {
      var sum = 0
      func add(_ value: Int) -> Int {
        sum += value
        return sum
      }
    }
    let counter = Counter()
    let sum = Promise.kept(5).then(on: counter) { counter, value in counter.add(value) }
    #expect(try await sum.value == 5)
    #expect(await counter.sum == 5)

    let onMain = Promise.kept(5).then { @MainActor value in
      MainActor.assertIsolated()
      return value
    }
    #expect(try await onMain.value == 5)
  }

  @Test func longChainsDoNotOverflowTheStack() async throws {
    let gate = Gate()
    var promise = Promise.gated(gate, 0)
    for _ in 0..<100_000 { promise = promise.map { $0 + 1 } }
    gate.open()
    #expect(try await promise.value == 100_000)
  }

  // MARK: Failures

  @Test func recoverReplacesAFailureByAValue() async throws {
    let failed = Promise<Int>.failed(Mishap(number: 5))
    #expect(try await failed.recover { error in (error as? Mishap)?.number ?? 0 }.value == 5)
    #expect(try await failed.recover { _ in Promise { 6 } }.value == 6)
    #expect(await failed.recover { _ -> Int in throw Mishap(number: 7) }.error as? Mishap == Mishap(number: 7))
    #expect(try await Promise.kept(1).recover { _ in 2 }.value == 1)
  }

  @Test func recoverTranslatesErrors() async throws {
    let failed = Promise<Int>.failed(Mishap(number: 1))
    let translated = failed.recover { error in throw Mishap(number: 10 * ((error as? Mishap)?.number ?? 0)) }
    #expect(await translated.error as? Mishap == Mishap(number: 10))
    let noted = failed.recover { error in
      print(error)
      throw Mishap(number: 2)
    }
    #expect(await noted.error as? Mishap == Mishap(number: 2))
  }

  @Test func observersAreNotifiedInOrder() async throws {
    let gate = Gate()
    let log = Log<Int>()
    let promise = Promise.gated(gate, 0)
    promise.map { _ in log.note(-1) }.cancel()  // The first to come has left.
    let steps = (0..<50).map { number in promise.map { _ in log.note(number) } }
    gate.open()
    _ = try await Promise.all(steps).value
    #expect(log.entries == Array(0..<50))
  }

  @Test func catchReceivesTheFailureAndPropagatesIt() async throws {
    let log = Log<Mishap?>()
    let end = Promise<Int>.failed(Mishap(number: 1)).catch { log.note($0 as? Mishap) }
    #expect(await end.error as? Mishap == Mishap(number: 1))
    #expect(log.entries == [Mishap(number: 1)])
    _ = try await Promise.kept(1).catch { _ in log.note(nil) }.value
    #expect(log.entries.count == 1)
  }

  @Test func finallyRunsBeforeTheOutcomeIsPropagated() async throws {
    let log = Log<String>()
    #expect(try await Promise.kept(1).finally { log.note("value") }.value == 1)
    #expect(log.entries == ["value"])
    #expect(await Promise<Int>.failed(Mishap()).finally { log.note("error") }.error is Mishap)
    #expect(log.entries == ["value", "error"])
  }

  // MARK: Several

  @Test func allKeepsTheOrderOfItsPromises() async throws {
    let gates = (0..<3).map { _ in Gate() }
    let all = Promise.all(gates.enumerated().map { Promise.gated($1, $0) })
    for gate in gates.reversed() { gate.open() }
    #expect(try await all.value == [0, 1, 2])
    #expect(try await Promise.all([Promise<Int>]()).value.isEmpty)
  }

  @Test func allOfDifferentTypesReturnsATuple() async throws {
    let (number, text, flag) = try await Promise.all(Promise { 1 }, Promise.kept("two"), Promise { true }).value
    #expect(number == 1 && text == "two" && flag)
  }

  @Test func allFailsWithTheFirstFailure() async throws {
    let log = Log<String>()
    #expect(await Promise.all([Promise.gated(Gate(), 1, log), Promise.failed(Mishap())]).error is Mishap)
    try await log.wait()
    #expect(log.entries == ["cancelled"])
    #expect(await Promise.all(Promise.gated(Gate(), 1, log), Promise<String>.failed(Mishap())).error is Mishap)
    try await log.wait(for: 2)
  }

  @Test func raceReturnsTheFirstOutcome() async throws {
    let log = Log<String>()
    #expect(try await Promise.race([Promise.gated(Gate(), 1, log), Promise.kept(2)]).value == 2)
    try await log.wait()
    #expect(log.entries == ["cancelled"])
    #expect(await Promise.race([Promise.gated(Gate(), 1), Promise.failed(Mishap())]).error is Mishap)
    #expect(await Promise<Int>.race([]).error is EmptyRaceError)
  }
}
