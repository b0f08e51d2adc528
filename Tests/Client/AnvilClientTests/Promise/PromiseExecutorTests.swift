import AnvilClient
import Dispatch
import Testing

@Suite struct PromiseExecutorTests {
  /// Runs tasks on a private queue, and reports whether the caller is on it.
  private final class QueueExecutor: TaskExecutor {
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "PromiseExecutorTests")

    init() {
      queue.setSpecific(key: Self.key, value: true)
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test func workStartsOnThePreferredExecutorOfItsCreator() async throws {
    guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return }
    let executor = QueueExecutor()
    let places = try await withTaskExecutorPreference(executor) {
      try await Promise { [executor.isCurrent] }
        .then { $0 + [executor.isCurrent] }
        .then { places in Promise { places + [executor.isCurrent] } }
        .map { $0 + [executor.isCurrent] }
        .value
    }
    #expect(places == [true, true, true, true])
    #expect(try await Promise { executor.isCurrent }.value == false)
  }

  @Test func observersRunOnThePreferredExecutor() async throws {
    guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return }
    let executor = QueueExecutor()
    let (places, continuation) = AsyncStream<Bool>.makeStream()
    try await withTaskExecutorPreference(executor) {
      _ = try await Promise { 7 }.finally { continuation.yield(executor.isCurrent) }.value
    }
    continuation.finish()
    #expect(await places.reduce(into: []) { $0.append($1) } == [true])
  }
}
