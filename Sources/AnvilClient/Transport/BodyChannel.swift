internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Hands chunks from a session's thread to one reading task, and has the session pause while too many wait.
final class BodyChannel: Sendable {
  /// From this many unread bytes on the session is to pause.
  static let highWaterMark = 1 << 20
  /// With this many it is to go on. Far enough below that a source that is slow to start again does not run dry.
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
    let (reading, tellsFlow) = state.withLock { state -> (Reading?, Bool) in
      guard state.end == nil else { return (nil, false) }
      if let reading = state.reading.take() { return (reading, false) }
      return (nil, state.append(chunk))
    }
    reading?.resume(returning: .success(chunk))
    if tellsFlow { tellFlow() }
  }

  func finish(_ error: TransportError? = nil) {
    let end = error.map { Result<Data?, TransportError>.failure($0) } ?? .success(nil)
    let (reading, callbacks) = state.withLock { state -> (Reading?, State.Callbacks?) in
      guard state.end == nil else { return (nil, nil) }
      state.end = end
      return (state.reading.take(), state.takeCallbacks())
    }
    reading?.resume(returning: end)
    // Released here and not under the lock: what they hold may end with them and come back to this channel.
    _ = consume callbacks
  }

  func next() async throws(TransportError) -> Data? {
    // What has ended and waits can be had without getting ready to be suspended or cancelled.
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

  /// What can be read at once; otherwise keeps `reading` for when there is something.
  private func register(_ reading: Reading) -> Result<Data?, TransportError>? {
    let (result, tellsFlow) = state.withLock { state -> (Result<Data?, TransportError>?, Bool) in
      // A cancelled reader gets no more chunks: part of a body must not look like a whole one.
      if case .failure(let error) = state.end, error.code == .cancelled { return (.failure(error), false) }
      if let (chunk, tellsFlow) = state.takeChunk() { return (.success(chunk), tellsFlow) }
      if let end = state.end { return (end, false) }
      guard state.reading == nil else {
        return (.failure(TransportError(code: .other, reason: "the body is being read by another task")), false)
      }
      state.reading = reading
      return (nil, false)
    }
    if tellsFlow { tellFlow() }
    return result
  }

  /// Ends the body, as cancelled or for another reason, and tells the writer, unless it has ended already.
  func abandon(with error: TransportError = TransportError(code: .cancelled)) {
    let (reading, unread, callbacks) = state.withLock { state -> (Reading?, [Data], State.Callbacks?) in
      guard state.end == nil else { return (nil, [], nil) }
      state.end = .failure(error)
      return (state.reading.take(), state.takeAll(), state.takeCallbacks())
    }
    // Freed here and not under the lock.
    _ = consume unread
    reading?.resume(returning: .failure(error))
    callbacks?.onAbandon?()
  }

  /// Tells the session what it does not know yet. Calls come one at a time, so that the last of them is what holds.
  private func tellFlow() {
    var isTelling = false
    while let (tell, flow) = state.withLock({ $0.nextCall(continuing: isTelling) }) {
      isTelling = true
      tell(flow)
    }
  }
}

extension BodyChannel {
  fileprivate struct State {
    typealias Callbacks = (onAbandon: (@Sendable () -> Void)?, onFlow: (@Sendable (TransportBody.Flow) -> Void)?)

    var end: Result<Data?, TransportError>?
    var reading: Reading?
    /// What the session is to do, which it may not have been told yet.
    private(set) var isPaused = false
    private var wasToldToPause = false
    /// Whether the session may have seen a pause that it has not been told of: it is then told of it even when it is over,
    /// as it would wait for the `resume`.
    private var hasUntoldPause = false
    private var isBeingTold = false
    private var chunks: [Data] = []
    private var firstChunk = 0
    private var unreadCount = 0
    private var callbacks: Callbacks

    init(onAbandon: (@Sendable () -> Void)?, onFlow: (@Sendable (TransportBody.Flow) -> Void)?) {
      callbacks = (onAbandon, onFlow)
    }

    /// What the next read gives, once the body has ended without an error.
    mutating func takeEnded() -> Result<Data?, TransportError>? {
      guard case .success = end else { return nil }
      return .success(takeChunk()?.chunk)
    }

    /// Tells whether the session is to be told something.
    mutating func append(_ chunk: Data) -> Bool {
      chunks.append(chunk)
      unreadCount += chunk.count
      if unreadCount >= BodyChannel.highWaterMark, !isPaused {
        isPaused = true
        hasUntoldPause = !wasToldToPause
      }
      return hasCall
    }

    private var hasCall: Bool { hasUntoldPause || wasToldToPause && !isPaused }

    /// The next chunk, and whether the session is to be told something.
    mutating func takeChunk() -> (chunk: Data, tellsFlow: Bool)? {
      guard firstChunk < chunks.count else { return nil }
      let chunk = chunks[firstChunk]
      chunks[firstChunk] = Data()
      firstChunk += 1
      // A reader that is always behind never takes the last one: what it has taken goes when it is more than half.
      if firstChunk * 2 > chunks.count {
        chunks.removeFirst(firstChunk)
        firstChunk = 0
      }
      unreadCount -= chunk.count
      if unreadCount <= BodyChannel.lowWaterMark { isPaused = false }
      return (chunk, hasCall)
    }

    mutating func takeAll() -> [Data] {
      defer { (chunks, firstChunk, unreadCount) = ([], 0, 0) }
      return chunks
    }

    mutating func takeCallbacks() -> Callbacks {
      defer { callbacks = (nil, nil) }
      return callbacks
    }

    /// - Parameter continuing: whether the caller has made the last call; no one else may make one meanwhile.
    mutating func nextCall(
      continuing: Bool
    ) -> (@Sendable (TransportBody.Flow) -> Void, TransportBody.Flow)? {
      guard continuing || !isBeingTold else { return nil }
      guard let onFlow = callbacks.onFlow, hasCall else {
        isBeingTold = false
        return nil
      }
      isBeingTold = true
      wasToldToPause = hasUntoldPause
      hasUntoldPause = false
      return (onFlow, wasToldToPause ? .pause : .resume)
    }
  }
}
