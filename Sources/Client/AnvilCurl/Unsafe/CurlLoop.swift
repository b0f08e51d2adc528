internal import AnvilBase
internal import AnvilClient
internal import Synchronization

/// The interface to the thread that runs all transfers of a session. Commands may be posted from any thread.
///
/// It is also a task executor: tasks that prefer it run on that thread between the transfers.
final class CurlLoop: TaskExecutor, Sendable {
  enum Command: Sendable {
    case start(Exchange)
    /// The caller no longer waits for this exchange.
    case drop(Exchange)
    /// The reader of this exchange's body can take more data.
    case resume(Exchange)
    /// More of this exchange's request body is available, or the body has ended.
    case feed(Exchange)
    case job(UnownedJob)
    /// End the thread when all transfers have ended.
    case finish
    /// End the thread now. Transfers fail as cancelled.
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
    /// True after a shutdown, if the thread has ended or was never started. Nothing would resume a caller that starts to wait then.
    var hasExited = false
  }

  let configuration: CurlSession.Configuration
  private let state = Mutex(State())
  /// The number of the running thread; 0 before it starts and after it ends.
  private let threadNumber = Atomic<UInt>(0)
  /// The commands that the thread posted to itself. Safety: only that thread accesses them. ``post(_:)`` checks ``isCurrent`` first. All
  /// other accesses are in ``run(_:)`` and in `LoopThread`, which run on the thread.
  nonisolated(unsafe) private var ownCommands: [Command] = []

  init(configuration: CurlSession.Configuration) {
    self.configuration = configuration
  }

  var isCurrent: Bool { threadNumber.load(ordering: .relaxed) == currentThreadNumber() }

  /// - Throws: `other` if the session was shut down, the loaded libcurl cannot be used, or no threads or descriptors are available.
  func post(_ command: Command) throws(TransportError) {
    if isCurrent {
      unsafe ownCommands.append(command)
      return
    }
    let port = try state.withLock { state throws(TransportError) -> EventPort? in
      let port = try start(&state)
      state.commands.append(command)
      defer { state.isAsleep = false }
      return state.isAsleep ? port : nil
    }
    port?.wake()
  }

  private func start(_ state: inout State) throws(TransportError) -> EventPort {
    switch state.status {
    case .running(let port): return port
    case .ended: throw TransportError(code: .other, reason: "the session was shut down")
    case .new:
      try CurlLibrary.check()
      let port = try EventPort()
      guard let thread = OwnedThread.start({ self.run(port) }) else {
        throw TransportError(code: .other, reason: "the thread of the session could not be created")
      }
      state.status = .running(port)
      state.thread = thread
      return port
    }
  }

  /// A thread that was never started cannot be started afterwards.
  func end(_ command: Command) async {
    await withCheckedContinuation { continuation in
      let (port, isOver) = state.withLock { state -> (EventPort?, Bool) in
        switch state.status {
        case .new:
          state.status = .ended
          state.hasExited = true
          return (nil, true)
        case .ended where state.hasExited: return (nil, true)
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
        // No caller joins the thread later.
        state.thread.take()?.detach()
        return port
      }
    }
    port?.wake()
  }

  /// Joins the thread if it has ended. This waits only for the short time that the thread needs to exit.
  private func joinEnded() {
    let thread = state.withLock { state -> OwnedThread? in
      guard case .ended = state.status else { return nil }
      return state.thread.take()
    }
    thread?.join()
  }
}

/// The work of the thread.
extension CurlLoop {
  private func run(_ port: EventPort) {
    threadNumber.store(currentThreadNumber(), ordering: .relaxed)
    blockBrokenPipeSignals()
    LoopThread(self, configuration, port).run()
    threadNumber.store(0, ordering: .relaxed)
    let (commands, waiting) = state.withLock { state in
      state.hasExited = true
      defer { (state.commands, state.waiting) = ([], []) }
      return (state.commands, state.waiting)
    }
    for command in commands { refuse(command) }
    for command in unsafe ownCommands { refuse(command) }
    unsafe ownCommands = []
    for continuation in waiting { continuation.resume() }
  }

  private func refuse(_ command: Command) {
    switch command {
    case .start(let exchange): exchange.end(TransportError(code: .other, reason: "the session was shut down"))
    case .job(let job): globalConcurrentExecutor.enqueue(ExecutorJob(job))
    case .drop, .resume, .feed, .finish, .stop: break
    }
  }

  func take(_ commands: inout [Command]) {
    state.withLock { state in
      state.isAsleep = false
      swap(&state.commands, &commands)
    }
  }

  func takeOwn(_ commands: inout [Command]) {
    unsafe swap(&ownCommands, &commands)
  }

  /// Returns `true` if there are no commands, so that the thread may sleep. Other threads then wake it when they post a command.
  func fallAsleep() -> Bool {
    guard unsafe ownCommands.isEmpty else { return false }
    return state.withLock { state in
      guard state.commands.isEmpty else { return false }
      state.isAsleep = true
      return true
    }
  }

  /// Pending commands are refused: otherwise a task that posts one job after another could delay the end forever.
  func retire() {
    state.withLock { $0.status = .ended }
  }

  /// Runs the job on the loop's thread, or on the concurrent pool if that thread has ended or cannot be started.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    do throws(TransportError) {
      try post(.job(job))
    } catch {
      globalConcurrentExecutor.enqueue(ExecutorJob(job))
    }
  }
}
