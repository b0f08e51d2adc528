internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import Synchronization

/// A request and its response. The caller and the loop's thread share it.
///
/// The side that ends the exchange first determines its result. A caller that cancels does not wait for the thread.
final class Exchange: Sendable {
  private enum Stage {
    case created
    case waiting(HeadContinuation)
    case receiving(TransportBody.Writer)
    case over
  }

  private struct State {
    var stage = Stage.created
    /// The result that the caller receives when it is resumed.
    var answer: Result<TransportResponse, TransportError>?
  }

  let request: HTTP.Request
  let options: TransportOptions
  let loop: CurlLoop
  let upload: UploadSource
  /// Whether the request sets an idle timeout, which the client measures, so that the limit of the session does not apply.
  let hasIdleTimeout: Bool
  private let state = Mutex(State())
  /// Safety: only `LoopThread` accesses the property, on its thread. Callers post commands instead. The thread sets it to `nil` when it
  /// releases the exchange. The property is therefore empty if the last reference is released on another thread.
  nonisolated(unsafe) private var ownTransfer: Transfer?

  init(request: HTTP.Request, options: TransportOptions, loop: CurlLoop) {
    self.request = request
    self.options = options
    self.loop = loop
    upload = UploadSource(request.body)
    hasIdleTimeout = options.idleTimeout != nil
  }

  /// The transfer of the exchange. Used only on the loop's thread.
  var transfer: Transfer? {
    get { unsafe ownTransfer }
    set { unsafe ownTransfer = newValue }
  }

  var isOver: Bool {
    state.withLock { if case .over = $0.stage { true } else { false } }
  }

  var isStreamed: Bool { options.responseDelivery == .streamed }

  var mayBeHeldBack: Bool {
    if isStreamed { return true }
    return !request.body.isEmpty && (request.body.data?.count ?? .max) > Transfer.smallBodySize
  }

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

  func takeAnswer() -> Result<TransportResponse, TransportError> {
    state.withLock { $0.answer.take() } ?? .failure(TransportError(code: .cancelled, phase: .firstByte))
  }

  /// Delivers a response with a complete body, and ends the exchange.
  func succeed(_ response: TransportResponse) {
    answer(.success(response), .over)
  }

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

  /// A `nil` error ends the exchange successfully, but counts as a lost connection if no head was delivered before.
  @inline(never)
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

  func cancel() {
    end(TransportError(code: .cancelled))
    post(.drop(self))
  }

  /// Posts a command to the loop's thread. The command is discarded if the thread has ended.
  func post(_ command: CurlLoop.Command) {
    try? loop.post(command)
  }
}

extension TransportError {
  /// Returns the error with this phase, or unchanged if it already has a phase.
  @inline(never)
  fileprivate func at(_ phase: Phase) -> TransportError {
    var error = self
    error.phase = self.phase ?? phase
    return error
  }
}
