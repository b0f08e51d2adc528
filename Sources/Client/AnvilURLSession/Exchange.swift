internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A request and its response. It coordinates URLSession's callbacks, the timeout and cancellation by the caller.
///
/// The first event that ends the exchange determines its outcome. Later events are ignored.
final class Exchange: Sendable {
  typealias Continuation = CheckedContinuation<Result<TransportResponse, TransportError>, Never>

  private enum Stage {
    case created
    case waiting(Continuation)
    case receiving(BodySink, BodyLength)
    case ended(TransportError?)
  }

  private struct State {
    var stage = Stage.created
    /// On Linux, cancelling the transfer then would trap ("Received callback for HTTP redirection, but we're not waiting for it").
    var isRedirected = false
    var timer: Task<Void, Never>?
  }

  let task: URLSessionTask
  private let request: HTTP.Request
  private let delivery: ResponseDelivery
  /// The upload. It is retained until the exchange is over, because it may own a temporary file.
  private let upload: Upload
  private let deadline: Deadline
  /// The progress of the upload. URLSession reports it sequentially. The lock is not held while the caller's handler runs.
  private let sending: Mutex<ProgressCounter?>
  private let state = Mutex(State())

  init(
    request: HTTP.Request, delivery: ResponseDelivery, task: URLSessionTask, upload: Upload, deadline: Deadline,
    sending: ProgressCounter?
  ) {
    self.request = request
    self.delivery = delivery
    self.task = task
    self.upload = upload
    self.deadline = deadline
    self.sending = Mutex(sending)
  }

  /// Starts the transfer unless it was already cancelled. `continuation` is resumed with the head or the failure.
  func start(_ continuation: Continuation) {
    let timer = deadline.end.map { end in
      Task { [weak self] in
        guard (try? await Task.sleep(until: end, tolerance: .zero)) != nil else { return }
        self?.expire()
      }
    }
    let ended = state.withLock { state -> TransportError? in
      if case .ended(let error) = state.stage { return error ?? TransportError(code: .cancelled) }
      state.stage = .waiting(continuation)
      state.timer = timer
      return nil
    }
    if let ended {
      timer?.cancel()
      return continuation.resume(returning: .failure(ended))
    }
    task.resume()
  }

  private func expire() {
    let phase = state.withLock { state -> TransportError.Phase in
      if case .receiving = state.stage { .body } else { .firstByte }
    }
    end(deadline.timedOut(in: phase))
  }

  func end(_ error: TransportError) {
    let isRedirected = finish(keepingUnread: false) { length in
      var error = error
      if length != nil { error.phase = .body }
      return error
    }
    if !isRedirected { task.cancel() }
  }

  /// Returns `false` if the exchange has already ended: answering the callback would then trap on Linux.
  func refuseRedirection() -> Bool {
    state.withLock { state in
      if case .ended = state.stage { return false }
      state.isRedirected = true
      return true
    }
  }

  /// Ends the exchange, unless it has already ended. `outcome` receives the length of the body, `nil` before the head, and returns the
  /// error that ends the exchange, `nil` for a complete body. Returns whether a redirect was refused.
  ///
  /// - Parameter keepingUnread: Whether received data that is not in memory can still be read.
  @discardableResult
  private func finish(keepingUnread: Bool, _ outcome: (BodyLength?) -> TransportError?) -> Bool {
    let (isRedirected, timer, action) = state.withLock { state in
      let action: (@Sendable () -> Void)?
      switch state.stage {
      case .ended: action = nil
      case .created:
        state.stage = .ended(outcome(nil))
        action = nil
      case .waiting(let continuation):
        let error = outcome(nil) ?? TransportError(code: .connectionLost, phase: .firstByte)
        state.stage = .ended(error)
        action = { continuation.resume(returning: .failure(error)) }
      case .receiving(let sink, let length):
        let error = outcome(length)
        state.stage = .ended(error)
        action = {
          if let error, !keepingUnread { sink.abort(error) } else { sink.finish(error) }
        }
      }
      return (state.isRedirected, state.timer.take(), action)
    }
    timer?.cancel()
    action?()
    return isRedirected
  }
}

/// Callbacks of URLSession.
extension Exchange {
  /// Handles the head of a response. Interim responses are ignored. After the head of the final response, its body is streamed.
  func received(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else {
      return end(TransportError(code: .malformedResponse, reason: "not an HTTP response"))
    }
    let head = HTTP.Response(request: request, response)
    if head.code == 101 {
      return end(
        TransportError(code: .malformedResponse, reason: "the server switched protocols without being requested to"))
    }
    guard head.code >= 200 else { return }

    let (body, sink) = BodySink.make(for: task, delivery: delivery) { [weak self] in
      self?.end(TransportError(code: .cancelled))
    }
    let length = BodyLength(of: head)
    let continuation = state.withLock { state -> Continuation? in
      guard case .waiting(let continuation) = state.stage else { return nil }
      state.stage = .receiving(sink, length)
      // The limit of a streamed response ends with its head.
      if delivery == .streamed { state.timer.take()?.cancel() }
      return continuation
    }
    continuation?.resume(returning: .success(TransportResponse(head: head, body: body)))
    if let contradiction = length.contradiction {
      end(TransportError(code: .malformedResponse, phase: .body, reason: contradiction))
    }
  }

  func sent(_ count: Int64) {
    let isOver = state.withLock { if case .ended = $0.stage { true } else { false } }
    guard !isOver, var counter = sending.withLock({ $0 }) else { return }
    counter.advance(to: Int(clamping: count))
    sending.withLock { $0 = counter }
  }

  func received(_ data: Data) {
    let sink = state.withLock { state -> BodySink? in
      guard case .receiving(let sink, var length) = state.stage else { return nil }
      length.received += data.count
      state.stage = .receiving(sink, length)
      return sink
    }
    do throws(TransportError) {
      try sink?.yield(data)
    } catch {
      end(error)
    }
  }

  func completed(_ error: (any Error)?) {
    if error == nil, let response = task.response as? HTTPURLResponse {
      // On Linux a redirect without a usable Location ends the transfer without a callback for its head, and without its body.
      receivedNothingBut(response)
    }
    finish(keepingUnread: true) { length in
      guard let error else { return length?.shortfall }
      return TransportError(error, afterHead: length != nil, elapsed: deadline.elapsed)
    }
  }

  private func receivedNothingBut(_ response: HTTPURLResponse) {
    let (continuation, timer) = state.withLock { state -> (Continuation?, Task<Void, Never>?) in
      guard case .waiting(let continuation) = state.stage else { return (nil, nil) }
      state.stage = .ended(nil)
      return (continuation, state.timer.take())
    }
    timer?.cancel()
    let head = HTTP.Response(request: request, response)
    continuation?.resume(returning: .success(TransportResponse(head, body: Data())))
  }
}

extension HTTP.Response {
  /// Foundation does not keep the order of the fields, so they are sorted by name.
  fileprivate init(request: HTTP.Request, _ response: HTTPURLResponse) {
    let fields = response.allHeaderFields.compactMap { key, value in
      (key as? String).flatMap { key in (value as? String).map { (key, $0) } }
    }
    var headers = HTTP.Headers()
    for (key, value) in fields.sorted(by: { $0.0 < $1.0 }) {
      for value in Self.lines(of: FoundationImplementation.current.text(of: value), named: key) {
        headers.add(HTTP.HeaderKey(rawValue: key), HTTP.HeaderValue(rawValue: value))
      }
    }
    self.init(request: request, status: HTTP.Status(code: response.statusCode), headers: headers)
    isDelimitedByClose = canHaveBody && !headers.delimitBody && isKnownAsHTTP1
  }

  /// Only `Set-Cookie` is split: it is the only field whose values cannot be interpreted when joined (RFC 9110 §5.3).
  private static func lines(of value: String, named key: String) -> [String] {
    guard HTTP.HeaderKey(rawValue: key) == .setCookie else { return [value.trimmingBlanks] }
    return JoinedCookies.parted(value)
  }

  /// Whether the response was certainly received over HTTP/1. Foundation does not report the version, but uses HTTP/2 only with TLS, and no
  /// response of HTTP/2 has the field `Connection`. Source: RFC 9113 §8.2.2.
  var isKnownAsHTTP1: Bool { url.scheme?.lowercased() == "http" || headers.contains(.connection) }
}

enum BodySink: Sendable {
  /// Memory. On platforms where a task can be suspended, it is suspended while too many bytes are unread.
  case memory(TransportBody.Writer)
  /// Memory, and a file for chunks that arrive faster than they are read.
  case overflow(Overflow)

  static func make(
    for task: URLSessionTask, delivery: ResponseDelivery, _ foundation: FoundationImplementation = .current,
    onAbandon: @escaping @Sendable () -> Void
  ) -> (TransportBody, BodySink) {
    switch (foundation, delivery) {
    case (.corelibs, .streamed):
      let (body, overflow) = Overflow.makeStream(onAbandon: onAbandon)
      return (body, .overflow(overflow))
    case (.corelibs, _):
      let (body, writer) = TransportBody.makeStream(onAbandon: onAbandon)
      return (body, .memory(writer))
    case (.apple, _):
      let (body, writer) = TransportBody.makeStream(onAbandon: onAbandon) { flow in
        switch flow {
        case .pause: task.suspend()
        case .resume: task.resume()
        }
      }
      return (body, .memory(writer))
    }
  }

  /// - Throws: An error if the chunk cannot be stored. The body has then ended with that error.
  func yield(_ chunk: Data) throws(TransportError) {
    switch self {
    case .memory(let writer): writer.yield(chunk)
    case .overflow(let overflow): try overflow.yield(chunk)
    }
  }

  /// Ends the body after all chunks that have been received.
  func finish(_ error: TransportError?) {
    switch self {
    case .memory(let writer): writer.finish(error)
    case .overflow(let overflow): overflow.finish(error)
    }
  }

  /// Ends the body after the chunks that are in memory.
  func abort(_ error: TransportError) {
    switch self {
    case .memory(let writer): writer.finish(error)
    case .overflow(let overflow): overflow.abort(error)
    }
  }
}
