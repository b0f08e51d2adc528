import AnvilTestSupport
import Synchronization
import Testing

@testable import AnvilStore

@Suite(.timeLimit(.minutes(15))) struct SessionPoolTests {
  @Test func allWaitingTasksReceiveTheFailureToMakeASession() async throws {
    let (isOpen, wasCalled) = (Counter(), Counter())
    let pool = SessionPool(limit: 1) { () throws(StoreError) -> StoreSession in
      wasCalled.increase()
      while isOpen.value == 0 {}
      throw StoreError(code: .cannotOpen)
    }
    let failures = Counter()
    let take: @Sendable () async -> Void = {
      do {
        pool.giveBack(try await pool.take())
      } catch {
        failures.increase()
      }
    }
    // A task that runs on a thread of its own, because the function blocks the thread.
    let first = Task.detached { await take() }
    await waitUntil { wasCalled.value == 1 }
    let others = (0..<5).map { _ in Task { await take() } }
    await waitUntil { pool.waitingCount == 5 }
    isOpen.increase()
    for task in [first] + others { await task.value }
    #expect(failures.value == 6)
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .acquiring) }
    func increase() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
  }
}
