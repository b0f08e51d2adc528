internal import AnvilClient
internal import AnvilHTTP
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One request and its answer: what URLSession's callbacks, the timeout and the caller's cancellation come together in.
///
/// Whichever ends the exchange first decides how it ended; what comes later is ignored.
final class Exchange: Sendable {
  typealias Continuation = CheckedContinuation<Result<TransportResponse, TransportError>, Never>

  private enum State {
    case created
    case waiting(Continuation)
    case receiving(TransportBody.Writer, BodyLength)
    case ended(TransportError?)
  }

  let task: URLSessionTask
  private let request: HTTP.Request
  /// Keeps a temporary file until the exchange is over.
  private let upload: Upload
  private let started = ContinuousClock.now
  private let state = Mutex(State.created)
  private let timer = Mutex<Task<Void, Never>?>(nil)

  init(request: HTTP.Request, task: URLSessionTask, upload: Upload) {
    self.request = request
    self.task = task
    self.upload = upload
  }

  /// Starts the transfer, unless it was cancelled already; `continuation` is resumed with the head or the failure.
  func start(timeout: Duration?, _ continuation: Continuation) {
    let ended = state.withLock { state -> TransportError? in
      if case .ended(let error) = state { return error ?? TransportError(code: .cancelled) }
      state = .waiting(continuation)
      return nil
    }
    if let ended { return continuation.resume(returning: .failure(ended)) }
    if let timeout { startTimer(timeout) }
    task.resume()
  }

  private func startTimer(_ timeout: Duration) {
    let deadline = started + timeout
    let timer = Task { [weak self] in
      guard (try? await Task.sleep(until: deadline, tolerance: .zero)) != nil else { return }
      self?.expire()
    }
    self.timer.withLock { $0 = timer }
  }

  private func expire() {
    let phase = state.withLock { state -> TransportError.Phase in
      if case .receiving = state { .body } else { .firstByte }
    }
    end(TransportError(code: .timedOut, phase: phase, elapsed: ContinuousClock.now - started))
  }

  /// Ends the exchange from this side and stops the transfer.
  func end(_ error: TransportError) {
    finish { _ in error }
    task.cancel()
  }

  /// Moves to the end once; `outcome` sees how far the exchange had come.
  private func finish(_ outcome: (BodyLength?) -> TransportError?) {
    let action = state.withLock { state -> (@Sendable () -> Void)? in
      switch state {
      case .ended: return nil
      case .created:
        state = .ended(outcome(nil))
        return {}
      case .waiting(let continuation):
        let error = outcome(nil) ?? TransportError(code: .connectionLost, phase: .firstByte)
        state = .ended(error)
        return { continuation.resume(returning: .failure(error)) }
      case .receiving(let writer, let length):
        let error = outcome(length)
        state = .ended(error)
        return { writer.finish(error) }
      }
    }
    guard let action else { return }
    timer.withLock { $0.take() }?.cancel()
    action()
  }
}

/// What URLSession reports.
extension Exchange {
  /// The response's head. Interim responses are passed over; the final one's body is streamed from here on.
  func received(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else {
      return end(TransportError(code: .malformedResponse, reason: "not an HTTP response"))
    }
    let head = HTTP.Response(request: request, response)
    if head.code == 101 {
      return end(TransportError(code: .malformedResponse, reason: "the server switched protocols without being asked"))
    }
    guard head.code >= 200 else { return }

    let (body, writer) = TransportBody.makeStream { [weak self] in self?.end(TransportError(code: .cancelled)) }
    let length = BodyLength(of: head)
    let continuation = state.withLock { state -> Continuation? in
      guard case .waiting(let continuation) = state else { return nil }
      state = .receiving(writer, length)
      return continuation
    }
    continuation?.resume(returning: .success(TransportResponse(head: head, body: body)))
    if let contradiction = length.contradiction {
      end(TransportError(code: .malformedResponse, phase: .body, reason: contradiction))
    }
  }

  func received(_ data: Data) {
    let writer = state.withLock { state -> TransportBody.Writer? in
      guard case .receiving(let writer, var length) = state else { return nil }
      length.received += data.count
      state = .receiving(writer, length)
      return writer
    }
    writer?.yield(data)
  }

  /// The transfer's end.
  func completed(_ error: (any Error)?) {
    if error == nil, let response = task.response as? HTTPURLResponse, isWaiting {
      // On Linux a redirection without a usable Location comes without its head being announced, and without its body.
      let head = HTTP.Response(request: request, response)
      received(response, emptyBodyOf: head)
    }
    finish { length in
      guard let error else { return length?.shortfall }
      return TransportError(error, afterHead: length != nil)
    }
  }

  private var isWaiting: Bool {
    state.withLock { if case .waiting = $0 { true } else { false } }
  }

  private func received(_ response: HTTPURLResponse, emptyBodyOf head: HTTP.Response) {
    let continuation = state.withLock { state -> Continuation? in
      guard case .waiting(let continuation) = state else { return nil }
      state = .ended(nil)
      return continuation
    }
    timer.withLock { $0.take() }?.cancel()
    continuation?.resume(returning: .success(TransportResponse(head, body: Data())))
  }
}

extension HTTP.Response {
  /// Foundation's response, without its body. Foundation keeps no order: the fields are in that of their names.
  fileprivate init(request: HTTP.Request, _ response: HTTPURLResponse) {
    let fields = response.allHeaderFields.compactMap { key, value in
      (key as? String).flatMap { key in (value as? String).map { (key, $0) } }
    }
    var headers = HTTP.Headers()
    for (key, value) in fields.sorted(by: { $0.0 < $1.0 }) {
      for value in Self.lines(of: value, named: key) {
        headers.add(HTTP.HeaderKey(rawValue: key), HTTP.HeaderValue(rawValue: value))
      }
    }
    self.init(request: request, status: HTTP.Status(code: response.statusCode), headers: headers)
  }

  /// The lines that Foundation joined to `value`. Only `Set-Cookie` is parted again: it is the one field whose values
  /// cannot be read joined (RFC 9110 §5.3).
  private static func lines(of value: String, named key: String) -> [String] {
    guard HTTP.HeaderKey(rawValue: key) == .setCookie else { return [value.trimmingCharacters(in: .whitespaces)] }
    return JoinedCookies.parted(value)
  }
}
