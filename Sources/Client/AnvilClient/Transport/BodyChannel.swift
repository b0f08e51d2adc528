internal import AnvilBase
internal import Synchronization

/// A channel that passes chunks from a session's thread to one reading task, and that pauses the session while too many bytes are unread.
final class BodyChannel: Sendable {
  /// The number of unread bytes at which the session is paused.
  static let highWaterMark = 1 << 20
  /// The number of unread bytes at which the session resumes. It is well below the high-water mark, so that the reader does not run out
  /// of data while a slow source starts again.
  static let lowWaterMark = 1 << 18

  fileprivate typealias Reading = CheckedContinuation<Result<Data?, TransportError>, Never>

  private let state: Mutex<State>

  init(onAbandon: (@Sendable () -> Void)? = nil, onFlow: (@Sendable (TransportBody.Flow) -> Void)? = nil) {
    state = Mutex(State(onAbandon: onAbandon, onFlow: onFlow))
  }

  var flow: TransportBody.Flow {
    state.withLock { $0.end == nil && !$0.isPaused ? .resume : .pause }
  }

  func yield(_ chunk: Data) {
    guard !chunk.isEmpty else { return }
    let (reading, needsNotification) = state.withLock { state -> (Reading?, Bool) in
      guard state.end == nil else { return (nil, false) }
      if let reading = state.reading.take() { return (reading, false) }
      return (nil, state.append(chunk))
    }
    reading?.resume(returning: .success(chunk))
    if needsNotification { notifyOfFlow() }
  }

  func finish(_ error: TransportError? = nil) {
    let end = error.map { Result<Data?, TransportError>.failure($0) } ?? .success(nil)
    let (reading, callbacks) = state.withLock { state -> (Reading?, State.Callbacks?) in
      guard state.end == nil else { return (nil, nil) }
      state.end = end
      return (state.reading.take(), state.takeCallbacks())
    }
    reading?.resume(returning: end)
    // The callbacks are released outside the lock: releasing them may deallocate objects that call this channel.
    _ = consume callbacks
  }

  func next() async throws(TransportError) -> Data? {
    // A chunk of a body that has ended is returned without the cost of a continuation and a cancellation handler.
    if let ready = state.withLock({ $0.takeEnded() }) { return try ready.get() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (reading: Reading) in
        if let result = register(reading) { reading.resume(returning: result) }
      }
    } onCancel: {
      abandon()
    }
    return try result.get()
  }

  /// Returns the next result if it is available. Otherwise stores `reading`, which is resumed with the next result, and returns `nil`.
  private func register(_ reading: Reading) -> Result<Data?, TransportError>? {
    let (result, needsNotification) = state.withLock { state -> (Result<Data?, TransportError>?, Bool) in
      // A cancelled reader receives no more chunks, so that a partial body cannot be mistaken for a complete one.
      if case .failure(let error) = state.end, error.code == .cancelled { return (.failure(error), false) }
      if let (chunk, needsNotification) = state.takeChunk() { return (.success(chunk), needsNotification) }
      if let end = state.end { return (end, false) }
      guard state.reading == nil else {
        return (.failure(TransportError(code: .other, reason: "the body is being read by another task")), false)
      }
      state.reading = reading
      return (nil, false)
    }
    if needsNotification { notifyOfFlow() }
    return result
  }

  /// Ends the body with `error` and notifies the writer. Does nothing if the body has already ended.
  func abandon(with error: TransportError = TransportError(code: .cancelled)) {
    let (reading, unread, callbacks) = state.withLock { state -> (Reading?, [Data], State.Callbacks?) in
      guard state.end == nil else { return (nil, [], nil) }
      state.end = .failure(error)
      return (state.reading.take(), state.takeAll(), state.takeCallbacks())
    }
    // The chunks are released outside the lock.
    _ = consume unread
    reading?.resume(returning: .failure(error))
    callbacks?.onAbandon?()
  }

  /// Notifies the session of changes of the backpressure signal. Calls are made one at a time, so that the last call reports the current
  /// signal.
  private func notifyOfFlow() {
    var isContinuing = false
    while let (onFlow, flow) = state.withLock({ $0.nextCall(continuing: isContinuing) }) {
      isContinuing = true
      onFlow(flow)
    }
  }
}

extension BodyChannel {
  fileprivate struct State {
    typealias Callbacks = (onAbandon: (@Sendable () -> Void)?, onFlow: (@Sendable (TransportBody.Flow) -> Void)?)

    var end: Result<Data?, TransportError>?
    var reading: Reading?
    /// A Boolean value that indicates whether the session should be paused. The session may not have been notified yet.
    private(set) var isPaused = false
    private var hasReportedPause = false
    /// A Boolean value that indicates whether a pause has not been reported to the session yet. It is reported even if it has ended, followed
    /// by the resume, because the session may have read the pause from `flow` and wait for the resume.
    private var hasUnreportedPause = false
    private var isNotifying = false
    private var chunks = Queue<Data>()
    private var unreadCount = 0
    private var callbacks: Callbacks

    init(onAbandon: (@Sendable () -> Void)?, onFlow: (@Sendable (TransportBody.Flow) -> Void)?) {
      callbacks = (onAbandon, onFlow)
    }

    /// Returns the result of the next read if the body has ended without an error, otherwise `nil`.
    mutating func takeEnded() -> Result<Data?, TransportError>? {
      guard case .success = end else { return nil }
      return .success(takeChunk()?.chunk)
    }

    /// Appends a chunk and returns whether the session has to be notified.
    mutating func append(_ chunk: Data) -> Bool {
      chunks.append(chunk)
      unreadCount += chunk.count
      if unreadCount >= BodyChannel.highWaterMark, !isPaused {
        isPaused = true
        hasUnreportedPause = !hasReportedPause
      }
      return hasCall
    }

    private var hasCall: Bool { hasUnreportedPause || hasReportedPause && !isPaused }

    /// Removes and returns the next chunk, and whether the session has to be notified.
    mutating func takeChunk() -> (chunk: Data, needsNotification: Bool)? {
      guard let chunk = chunks.popFirst() else { return nil }
      unreadCount -= chunk.count
      if unreadCount <= BodyChannel.lowWaterMark { isPaused = false }
      return (chunk, hasCall)
    }

    mutating func takeAll() -> [Data] {
      unreadCount = 0
      return chunks.removeAll()
    }

    mutating func takeCallbacks() -> Callbacks {
      defer { callbacks = (nil, nil) }
      return callbacks
    }

    /// Returns the next call of `onFlow` and its argument; `nil` if there is nothing to report.
    ///
    /// - Parameter continuing: whether the caller made the last call. While it makes calls, no other caller may.
    mutating func nextCall(
      continuing: Bool
    ) -> (@Sendable (TransportBody.Flow) -> Void, TransportBody.Flow)? {
      guard continuing || !isNotifying else { return nil }
      guard let onFlow = callbacks.onFlow, hasCall else {
        isNotifying = false
        return nil
      }
      isNotifying = true
      hasReportedPause = hasUnreportedPause
      hasUnreportedPause = false
      return (onFlow, hasReportedPause ? .pause : .resume)
    }
  }
}
