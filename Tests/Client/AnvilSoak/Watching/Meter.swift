import Synchronization

/// Compares the process's resource usage after each client with that after the first ones.
final class Meter: Sendable {
  /// The number of clients before memory is compared, because caches, pools and arenas fill up first.
  static let warmUp = 4
  /// The time in which connections and threads must end after their client.
  private static let patience = Duration.seconds(30)

  private struct State {
    var maximum = ProcessUsage()
    var first = ProcessUsage()
    var warm = 0
    var memory: [Int] = []
  }

  private let findings: Findings
  private let state = Mutex(State())

  init(findings: Findings) {
    self.findings = findings
  }

  /// Records the current usage.
  func sample() {
    let usage = ProcessUsage.current
    state.withLock { $0.maximum = $0.maximum.maximum(usage) }
  }

  /// Compares the remaining usage after the client of an epoch was released.
  func endEpoch(_ epoch: Int) async {
    var usage = ProcessUsage.current
    let first = state.withLock { $0.first }
    let deadline = ContinuousClock.now + Self.patience
    // The server closes its connections a moment after the client.
    while ContinuousClock.now < deadline, epoch == 0 || !Self.isSettled(usage, first) {
      try? await Task.sleep(for: .milliseconds(250))
      usage = .current
      if epoch == 0, ContinuousClock.now + .seconds(25) > deadline { break }
    }
    report("  client \(epoch) closed: \(usage)")
    let warm = state.withLock { state in
      state.memory.append(usage.memory)
      if epoch == 0 { state.first = usage }
      if epoch < Self.warmUp { state.warm = max(state.warm, usage.memory) }
      return state.warm
    }
    guard ProcessUsage.isKnown else { return report("  the usage of the process is not known on this system") }
    guard epoch > 0 else { return }
    findings.expect(Self.isSettled(usage, first), "after client \(epoch): \(usage); after the first: \(first)")
    findings.expect(
      epoch < Self.warmUp || usage.memory <= warm * 13 / 10 + 32,
      "after client \(epoch): \(usage.memory) MiB in use; after the first \(Self.warmUp): \(warm) MiB")
  }

  /// The maximum usage, and memory after each client.
  var summary: String {
    state.withLock { state in
      """
      at most:         \(state.maximum)
      after clients:   \(state.memory.map(String.init).joined(separator: " ")) MiB
      """
    }
  }

  /// Returns whether usage is at most that after the first client, with a tolerance for the system's thread pools.
  private static func isSettled(_ usage: ProcessUsage, _ first: ProcessUsage) -> Bool {
    usage.descriptors <= first.descriptors + 4 && usage.threads <= first.threads + 8
  }
}
