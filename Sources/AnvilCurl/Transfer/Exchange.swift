internal import AnvilClient
internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One request and its answer, as the caller's side and the loop's thread share it.
///
/// Whichever of the two ends the exchange first decides how it ended. A caller that cancels does not wait for the thread.
final class Exchange: Sendable {
  private enum Stage {
    case created
    case waiting(HeadContinuation)
    case receiving(TransportBody.Writer)
    case over
  }

  private struct State {
    var stage = Stage.created
    /// What the caller gets when it goes on.
    var answer: Result<TransportResponse, TransportError>?
  }

  let request: HTTP.Request
  let options: TransportOptions
  let loop: CurlLoop
  private let state = Mutex(State())
  /// Safety: only `LoopThread` touches it, which lives on one thread: callers reach it by commands. It is `nil` again when that
  /// lets go of the exchange, so that whoever drops that last finds nothing here.
  nonisolated(unsafe) private var ownTransfer: Transfer?

  init(request: HTTP.Request, options: TransportOptions, loop: CurlLoop) {
    self.request = request
    self.options = options
    self.loop = loop
  }

  /// What the loop's thread has for it. For that thread only.
  var transfer: Transfer? {
    get { unsafe ownTransfer }
    set { unsafe ownTransfer = newValue }
  }

  /// Whether the exchange has ended.
  var isOver: Bool {
    state.withLock { if case .over = $0.stage { true } else { false } }
  }

  /// Whether a slow reader or a slow source may have the transfer wait.
  var mayBeHeldBack: Bool {
    if case .streamed = options.responseDelivery { return true }
    return !request.body.isEmpty && (request.body.data?.count ?? .max) > Transfer.smallBodySize
  }

  /// Begins the exchange; `continuation` is resumed when there is an answer.
  func start(_ continuation: HeadContinuation) {
    let isCancelled = state.withLock { state in
      guard case .created = state.stage else { return true }
      state.stage = .waiting(continuation)
      return false
    }
    guard !isCancelled else { return continuation.resume() }
    do throws(TransportError) {
      try loop.post(.start(self))
    } catch {
      end(error)
    }
  }

  /// The answer, for the caller that has been resumed.
  func takeAnswer() -> Result<TransportResponse, TransportError> {
    state.withLock { $0.answer.take() } ?? .failure(TransportError(code: .cancelled, phase: .firstByte))
  }

  /// Hands over the head with a body that is there as a whole.
  func succeed(_ response: TransportResponse) {
    answer(.success(response), .over)
  }

  /// Hands over the head with a body that `writer` fills.
  func deliver(_ response: TransportResponse, _ writer: TransportBody.Writer) {
    answer(.success(response), .receiving(writer))
  }

  private func answer(_ answer: Result<TransportResponse, TransportError>, _ next: Stage) {
    let waiting = state.withLock { state -> HeadContinuation? in
      guard case .waiting(let continuation) = state.stage else { return nil }
      state.stage = next
      state.answer = answer
      return continuation
    }
    waiting?.resume()
  }

  /// Ends the exchange: with an error, or whole.
  func end(_ error: TransportError?) {
    let ended = state.withLock { state -> Stage in
      defer { state.stage = .over }
      if case .waiting = state.stage {
        let error = error ?? TransportError(code: .connectionLost, phase: .firstByte)
        state.answer = .failure(error.at(.firstByte))
      }
      return state.stage
    }
    switch ended {
    case .created, .over: break
    case .waiting(let continuation): continuation.resume()
    case .receiving(let writer): writer.finish(error?.at(.body))
    }
  }

  /// Ends the exchange for a caller that wants no more of it.
  func cancel() {
    end(TransportError(code: .cancelled))
    tell(.drop(self))
  }

  /// Asks the loop's thread for something, which needs not be done when that is gone.
  func tell(_ command: CurlLoop.Command) {
    try? loop.post(command)
  }
}

extension TransportError {
  /// The same error in `phase`, unless it names one.
  fileprivate func at(_ phase: Phase) -> TransportError {
    guard self.phase == nil else { return self }
    return TransportError(
      code: code, phase: phase, elapsed: elapsed, reason: reason, underlyingError: underlyingError)
  }
}
