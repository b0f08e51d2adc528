internal import AnvilClient
internal import AnvilPlatform
internal import Synchronization

/// The thread that all of a session's transfers run on, seen from outside: commands go in from any thread.
///
/// Also a task executor: a task that prefers it runs between the transfers, on their thread.
final class CurlLoop: TaskExecutor, Sendable {
  /// What can be asked of the thread.
  enum Command: Sendable {
    case start(Exchange)
    /// Nobody waits for this exchange any more.
    case drop(Exchange)
    /// The reader of this exchange's body has room again.
    case resume(Exchange)
    /// There is more of this exchange's body to send, or no more ever.
    case feed(Exchange)
    case job(UnownedJob)
    /// To end when all transfers have.
    case finish
    /// To end now; transfers fail as cancelled.
    case stop
  }

  private enum Status {
    case new
    case running(EventPort)
    case ended
  }

  private struct State {
    var status = Status.new
    var commands: [Command] = []
    var isAsleep = false
    var thread: OwnedThread?
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether the thread has resumed those who waited, and will resume nobody any more.
    var isGone = false
  }

  let configuration: CurlSession.Configuration
  private let state = Mutex(State())
  /// The running thread's number; 0 before and after.
  private let threadNumber = Atomic<UInt>(0)
  /// What the thread asks of itself. Safety: only that thread touches it. ``post(_:)`` asks ``isCurrent`` before, which is true on
  /// no other; the rest is called by ``run(_:)`` and by `LoopThread`, which it runs.
  nonisolated(unsafe) private var ownCommands: [Command] = []

  init(configuration: CurlSession.Configuration) {
    self.configuration = configuration
  }

  /// Whether the caller is the loop's thread.
  var isCurrent: Bool { threadNumber.load(ordering: .relaxed) == currentThreadNumber() }

  /// Hands a command to the thread, which is started when there is none yet.
  ///
  /// - Throws: `other` when the session was shut down, or there are no threads or descriptors to be had.
  func post(_ command: Command) throws(TransportError) {
    if isCurrent {
      unsafe ownCommands.append(command)
      return
    }
    let result = state.withLock { state -> Result<EventPort?, TransportError> in
      do throws(TransportError) {
        let port = try start(&state)
        state.commands.append(command)
        guard state.isAsleep else { return .success(nil) }
        state.isAsleep = false
        return .success(port)
      } catch {
        return .failure(error)
      }
    }
    try result.get()?.wake()
  }

  private func start(_ state: inout State) throws(TransportError) -> EventPort {
    switch state.status {
    case .running(let port): return port
    case .ended: throw TransportError(code: .other, reason: "the session was shut down")
    case .new:
      try CurlLibrary.check()
      let port = try EventPort()
      guard let thread = OwnedThread.start({ self.run(port) }) else {
        throw TransportError(code: .other, reason: "no thread for the session")
      }
      state.status = .running(port)
      state.thread = thread
      return port
    }
  }

  /// Ends the thread as `command` says, and returns when it has. One that was never started never will be.
  func end(_ command: Command) async {
    await withCheckedContinuation { continuation in
      let (port, isOver) = state.withLock { state -> (EventPort?, Bool) in
        switch state.status {
        case .new:
          state.status = .ended
          state.isGone = true
          return (nil, true)
        case .ended where state.isGone: return (nil, true)
        case .ended:
          state.waiting.append(continuation)
          return (nil, false)
        case .running(let port):
          state.waiting.append(continuation)
          state.commands.append(command)
          state.isAsleep = false
          return (port, false)
        }
      }
      if isOver { continuation.resume() }
      port?.wake()
    }
    joinEnded()
  }

  /// Ends the thread as ``end(_:)`` does, and does not wait.
  func endLater(_ command: Command) {
    let port = state.withLock { state -> EventPort? in
      switch state.status {
      case .new:
        state.status = .ended
        return nil
      case .ended: return nil
      case .running(let port):
        state.commands.append(command)
        state.isAsleep = false
        // Nobody will wait for it.
        state.thread.take()?.detach()
        return port
      }
    }
    port?.wake()
  }

  /// Waits the moment that an ended thread takes to be gone.
  private func joinEnded() {
    let thread = state.withLock { state -> OwnedThread? in
      guard case .ended = state.status else { return nil }
      return state.thread.take()
    }
    thread?.join()
  }
}

/// What the thread does.
extension CurlLoop {
  private func run(_ port: EventPort) {
    threadNumber.store(currentThreadNumber(), ordering: .relaxed)
    blockBrokenPipeSignals()
    LoopThread(self, configuration, port).run()
    threadNumber.store(0, ordering: .relaxed)
    let (commands, waiting) = state.withLock { state in
      state.isGone = true
      defer { (state.commands, state.waiting) = ([], []) }
      return (state.commands, state.waiting)
    }
    for command in commands { refuse(command) }
    for command in unsafe ownCommands { refuse(command) }
    unsafe ownCommands = []
    for continuation in waiting { continuation.resume() }
  }

  /// Does without a thread what was asked of it too late.
  private func refuse(_ command: Command) {
    switch command {
    case .start(let exchange): exchange.end(TransportError(code: .other, reason: "the session was shut down"))
    case .job(let job): globalConcurrentExecutor.enqueue(ExecutorJob(job))
    case .drop, .resume, .feed, .finish, .stop: break
    }
  }

  /// Takes what was asked for, in order; what the thread asked of itself comes last.
  func take(_ commands: inout [Command]) {
    state.withLock { state in
      state.isAsleep = false
      swap(&state.commands, &commands)
    }
  }

  /// Takes what the thread asked of itself.
  func takeOwn(_ commands: inout [Command]) {
    unsafe swap(&ownCommands, &commands)
  }

  /// Whether the thread may sleep: others wake it from now on.
  func fallAsleep() -> Bool {
    guard unsafe ownCommands.isEmpty else { return false }
    return state.withLock { state in
      guard state.commands.isEmpty else { return false }
      state.isAsleep = true
      return true
    }
  }

  /// Has nothing more be asked of the thread, which ends. What was asked before is refused: a task that never pauses would hold
  /// up the end for ever otherwise.
  func retire() {
    state.withLock { $0.status = .ended }
  }
}

extension CurlLoop {
  /// Has the job run on the loop's thread; on the concurrent pool when that has ended or cannot be started.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    do throws(TransportError) {
      try post(.job(job))
    } catch {
      globalConcurrentExecutor.enqueue(ExecutorJob(job))
    }
  }
}
