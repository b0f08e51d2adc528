internal import AnvilBase

#if canImport(ObjectiveC)
internal import ObjectiveC
#endif

/// An executor with a dedicated thread, for the actor that owns a connection. Calls to a connection block, and must not block a thread of
/// the cooperative pool.
///
/// Jobs run in the order in which they were added. The executor is deallocated, and the thread ends, when there are no more references and
/// no jobs. Waiting and running jobs retain the executor, so that none is lost.
package final class StoreExecutor: SerialExecutor {
  private struct Entry: Sendable {
    enum Work: Sendable {
      case job(UnownedJob)
      case function(@Sendable () -> Void)
    }

    let work: Work
    /// Retained here because a job does not retain its executor. The last job may release the actor that retains the executor.
    let executor: StoreExecutor
  }

  private let queue: BlockingQueue<Entry>
  private let thread: OwnedThread

  /// Starts the thread.
  ///
  /// - Throws: ``StoreError/Code/other`` when the system cannot create a thread.
  package init() throws(StoreError) {
    let queue = BlockingQueue<Entry>()
    // The stack is large because models that refer to models are decoded recursively. Unused stack takes no memory.
    let thread = OwnedThread.start(stackSize: 64 << 20) {
      while let entry = queue.next() { Self.run(entry) }
    }
    guard let thread else {
      throw StoreError(code: .other, reason: "the system could not create a thread for the store")
    }
    self.queue = queue
    self.thread = thread
  }

  deinit {
    queue.finish()
    // When the last job releases the executor, this code runs on the executor's thread, which cannot wait for itself. On other threads the
    // wait is short, because the thread is idle.
    if thread.isCurrent { thread.detach() } else { thread.join() }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    queue.append(Entry(work: .job(UnownedJob(job)), executor: self))
  }

  /// Runs `work` on the thread, after the jobs that were added before.
  ///
  /// An actor calls this in its `deinit`, to release on the thread what belongs to it: `isolated deinit` needs macOS 15.4 or iOS 18.4.
  func perform(_ work: @escaping @Sendable () -> Void) {
    queue.append(Entry(work: .function(work), executor: self))
  }

  package func checkIsolated() {
    precondition(thread.isCurrent, "this code must run on the store's executor")
  }

  package func isIsolatingCurrentContext() -> Bool? {
    thread.isCurrent
  }

  private static func run(_ entry: Entry) {
    // Safety: the entry retains the executor while the job runs, and each job is run once.
    withExtendedLifetime(entry.executor) {
      autoreleasepool {
        switch entry.work {
        case .job(let job): unsafe job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
        case .function(let function): function()
        }
      }
    }
  }
}

#if !canImport(ObjectiveC)
/// Runs `body`. Objects are autoreleased only by the Objective-C runtime.
private func autoreleasepool(invoking body: () -> Void) { body() }
#endif
