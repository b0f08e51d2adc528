import AnvilClient
import AnvilTestSupport
import Synchronization
import Testing

/// Thousands of promises, cancelled at random moments, without hangs, traps or leaks.
@Suite(.timeLimit(.minutes(15))) struct PromiseStressTests {
  /// Counts its living instances.
  private final class Token: Sendable {
    static let alive = Atomic<Int>(0)

    init() { Self.alive.wrappingAdd(1, ordering: .relaxed) }
    deinit { Self.alive.wrappingSubtract(1, ordering: .relaxed) }
  }

  private func pause(_ generator: inout some RandomNumberGenerator) async {
    for _ in 0..<Int.random(in: 0...4, using: &generator) { await Task.yield() }
  }

  /// Returns a promise of a token, followed by steps of every kind.
  private func chain(_ number: Int) -> Promise<Token> {
    let work = Promise {
      let token = Token()
      for _ in 0..<number % 7 { await Task.yield() }
      if number % 11 == 0 { throw Mishap(number: number) }
      return token
    }
    let step = work.map { $0 }
    switch number % 8 {
    case 0: return step.then { token in token }
    case 1: return step.then { token in Promise { token } }
    case 2: return step.recover { _ in Token() }
    case 3: return step.finally {}
    case 4: return step.catch { _ in }
    case 5: return Promise.race([step, work.map { $0 }, Promise { Token() }])
    case 6: return Promise.all([step, work, Promise { Token() }]).map { $0[number % 3] }
    default: return step
    }
  }

  @Test func thousandsOfCancelledPromisesAreReleased() async throws {
    for round in 0..<10 {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<1000 {
          group.addTask {
            var generator = SystemRandomNumberGenerator()
            let promise = chain(number + round)
            let waiter = Task { try? await promise.value }
            let other = number % 3 == 0 ? promise.map { $0 } : nil
            await pause(&generator)
            switch number % 5 {
            case 0: promise.cancel()
            case 1: waiter.cancel()
            case 2: other?.cancel()
            case 3:
              async let first: Void = promise.cancel()
              async let second: Void = waiter.cancel()
              _ = await (first, second)
            default: break
            }
            _ = await waiter.value
            _ = await promise.result
            _ = await other?.result
          }
        }
      }
    }
    // Cancelled work ends by itself. Otherwise the suite's time limit ends the test.
    await waitUntil { Token.alive.load(ordering: .relaxed) == 0 }
  }

  @Test func thousandsOfWaitingTasksCanBeCancelled() async throws {
    let gate = Gate()
    let promise = Promise.gated(gate, 1)
    let kept = promise.map { $0 }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10_000 { group.addTask { _ = try? await promise.value } }
      group.cancelAll()
    }
    gate.open()
    #expect(try await kept.value == 1)
  }
}
