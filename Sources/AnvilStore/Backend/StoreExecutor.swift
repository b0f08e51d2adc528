internal import AnvilPlatform

#if canImport(ObjectiveC)
internal import ObjectiveC
#endif

/// An executor with a thread of its own, for the actor that owns a connection: its calls block, and the cooperative pool must
/// not.
///
///     actor Reader {
///       private let executor: StoreExecutor
///       nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
///     }
///
/// Jobs run one after the other, first come, first served. The thread ends with the executor, which ends when nobody holds it
/// and no job is left: jobs that wait, and the one that runs, hold it, so that none is lost.
package final class StoreExecutor: SerialExecutor {
  private struct Entry: Sendable {
    let job: UnownedJob
    /// Jobs know their executor without holding it, and the last one may let go of the actor that does.
    let executor: StoreExecutor
  }

  private let queue: BlockingQueue<Entry>
  private let thread: OwnedThread

  /// Starts the thread.
  ///
  /// - Throws: ``StoreError/Code/other`` when the system has no thread left.
  package init() throws(StoreError) {
    let queue = BlockingQueue<Entry>()
    // Models that refer to models are decoded one in the other. What is not used takes no memory.
    let thread = OwnedThread.start(stackSize: 64 << 20) {
      while let entry = queue.next() { Self.run(entry) }
    }
    guard let thread else { throw StoreError(code: .other, reason: "the system has no thread left for the store") }
    self.queue = queue
    self.thread = thread
  }

  deinit {
    queue.finish()
    // When the last job lets go of the executor, this is its own thread, which cannot wait for itself. Elsewhere the wait is
    // for a thread that has nothing to do.
    if thread.isCurrent { thread.detach() } else { thread.join() }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    queue.append(Entry(job: UnownedJob(job), executor: self))
  }

  package func checkIsolated() {
    precondition(thread.isCurrent, "this has to run on the store's own executor")
  }

  package func isIsolatingCurrentContext() -> Bool? {
    thread.isCurrent
  }

  private static func run(_ entry: Entry) {
    // Safety: the entry holds the executor for as long as the job runs, and each job is run once.
    withExtendedLifetime(entry.executor) {
      #if canImport(ObjectiveC)
      autoreleasepool { unsafe entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor()) }
      #else
      unsafe entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
      #endif
    }
  }
}
