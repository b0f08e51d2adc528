import AnvilTestSupport
import Synchronization
import Testing

@testable import AnvilClient

@Suite(.timeLimit(.minutes(15))) struct BackPressureGateTests {
  private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set() { value.store(true, ordering: .sequentiallyConsistent) }
  }

  @Test func aPausedGateIsClosedUntilItIsResumed() async {
    let gate = BackPressureGate()
    await gate.wait()
    gate.set(.pause)
    let (begun, resumed) = (Flag(), Flag())
    let writer = Task {
      begun.set()
      await gate.wait()
      return resumed.isSet
    }
    await waitUntil { begun.isSet }
    // More turns than a task needs that does not have to wait.
    for _ in 0..<10 { await Task.yield() }
    resumed.set()
    gate.set(.resume)
    #expect(await writer.value)
  }

  @Test func anEndedGateStaysOpen() async {
    let gate = BackPressureGate()
    gate.set(.pause)
    gate.end()
    await gate.wait()
    gate.set(.pause)
    await gate.wait()
  }
}
