public import AnvilClient
public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StubSession {
  /// What a stub answers.
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

    /// A response.
    public static func status(_ status: HTTP.Status, headers: HTTP.Headers = [:], body: Data = Data()) -> Reply {
      Reply(.response(status, headers, [body], nil))
    }

    /// JSON text, of type `application/json`.
    public static func json(_ text: String, status: HTTP.Status = .success(.ok)) -> Reply {
      Reply(.response(status, [.contentType: .applicationJSON], [Data(text.utf8)], nil))
    }

    /// A response whose body comes in pieces and, where there is an `error`, ends with it.
    ///
    /// The sequence is asked for chunks until the body's reader has enough of them, and again when it has read those: of a
    /// body of any length, one without an end too, there is a MiB in memory. Whoever sends the request has it asked first,
    /// then whoever reads.
    public static func chunks(
      _ chunks: some Sequence<Data> & Sendable, error: TransportError? = nil, status: HTTP.Status = .success(.ok),
      headers: HTTP.Headers = [:]
    ) -> Reply {
      Reply(.response(status, headers, chunks, error))
    }

    /// No response, but an error.
    public static func failure(_ error: TransportError) -> Reply {
      Reply(.failure(error))
    }

    /// Neither response nor error: the request ends by its timeout or by cancellation.
    public static let never = Reply(.never)

    /// The same, later.
    public func after(_ delay: Duration) -> Reply {
      var reply = self
      reply.delay += delay
      return reply
    }
  }
}

extension StubSession.Reply {
  func perform(for request: HTTP.Request, timeout: Duration?) async throws(TransportError) -> TransportResponse {
    try await wait(timeout: timeout)
    switch outcome {
    case .failure(let error): throw error
    case .response(let status, let headers, let chunks, let error):
      let body = StubBody(chunks, error: error).start(within: timeout.map { $0 - delay }, of: timeout)
      return TransportResponse(head: HTTP.Response(request: request, status: status, headers: headers), body: body)
    case .never: throw TransportError(code: .other, reason: "a wait without end has ended")
    }
  }

  /// Waits as long as a real server would have let the client wait.
  private func wait(timeout: Duration?) async throws(TransportError) {
    // A year stands for ever, and for timeouts that are none.
    let ever = Duration.seconds(31_536_000)
    let answer = if case .never = outcome { ever } else { min(delay, ever) }
    let limit = min(timeout ?? ever, ever)
    do {
      try Task.checkCancellation()
      try await Task.sleep(for: min(answer, limit), tolerance: .zero)
    } catch {
      throw TransportError(code: .cancelled, phase: .firstByte)
    }
    if limit < answer || limit <= .zero { throw TransportError(code: .timedOut, phase: .firstByte, elapsed: limit) }
  }
}
