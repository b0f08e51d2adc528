public import AnvilClient
public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StubSession {
  /// The reply of a stub to a request: a response, an error, or nothing.
  public struct Reply: Sendable {
    private enum Outcome: Sendable {
      case response(HTTP.Status, HTTP.Headers, any Sequence<Data> & Sendable, TransportError?)
      case failure(TransportError)
      case never
    }

    private let outcome: Outcome
    private var delay = Duration.zero

    private init(_ outcome: Outcome) {
      self.outcome = outcome
    }

    /// Returns a response.
    public static func status(_ status: HTTP.Status, headers: HTTP.Headers = [:], body: Data = Data()) -> Reply {
      Reply(.response(status, headers, [body], nil))
    }

    /// Returns a response whose body is the JSON text `text`, of type `application/json`.
    public static func json(_ text: String, status: HTTP.Status = .success(.ok)) -> Reply {
      Reply(.response(status, [.contentType: .applicationJSON], [Data(text.utf8)], nil))
    }

    /// Returns a response whose body arrives in chunks. If there is an `error`, the body ends with it.
    ///
    /// Chunks are requested from the sequence until the body's buffer is full, and again when the reader has consumed them. At most about
    /// one MiB is in memory, even if the sequence is endless. The code that sends the request iterates the sequence first, then the code
    /// that reads the body.
    public static func chunks(
      _ chunks: some Sequence<Data> & Sendable, error: TransportError? = nil, status: HTTP.Status = .success(.ok),
      headers: HTTP.Headers = [:]
    ) -> Reply {
      Reply(.response(status, headers, chunks, error))
    }

    /// Returns a reply that fails with an error instead of a response.
    public static func failure(_ error: TransportError) -> Reply {
      Reply(.failure(error))
    }

    /// No reply at all. The request ends by its timeout or by cancellation.
    public static let never = Reply(.never)

    /// Returns the same reply with an additional delay.
    public func after(_ delay: Duration) -> Reply {
      var reply = self
      reply.delay += delay
      return reply
    }
  }
}

extension StubSession.Reply {
  func perform(for request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    let clock = options.clock ?? ContinuousClock()
    let timeout = options.timeout
    try await wait(timeout: timeout, clock: clock)
    switch outcome {
    case .failure(let error): throw error
    case .response(let status, let headers, let chunks, let error):
      // The limit of a streamed response ends with its head.
      let rest = options.responseDelivery == .streamed ? nil : timeout.map { $0 - delay }
      let body = StubBody(chunks, error: error, clock: clock).start(within: rest, of: timeout)
      return TransportResponse(head: HTTP.Response(request: request, status: status, headers: headers), body: body)
    case .never: throw TransportError(code: .other, reason: "a reply that never comes has ended")
    }
  }

  /// Waits until the reply is due.
  ///
  /// - Throws: `timedOut` if `timeout` is reached first, and `cancelled` if the task is cancelled.
  private func wait(timeout: Duration?, clock: any Clock<Duration>) async throws(TransportError) {
    // A year stands for an unlimited wait, including when there is no timeout.
    let ever = Duration.seconds(31_536_000)
    let answer = if case .never = outcome { ever } else { min(delay, ever) }
    let limit = min(timeout ?? ever, ever)
    do {
      try Task.checkCancellation()
      // A clock that does not wait must not end what never ends.
      let sleeper: any Clock<Duration> = min(answer, limit) == ever ? ContinuousClock() : clock
      if min(answer, limit) > .zero { try await sleeper.sleep(for: min(answer, limit), tolerance: .zero) }
    } catch {
      throw TransportError(code: .cancelled, phase: .firstByte)
    }
    if limit < answer || limit <= .zero { throw TransportError(code: .timedOut, phase: .firstByte, elapsed: limit) }
  }
}
