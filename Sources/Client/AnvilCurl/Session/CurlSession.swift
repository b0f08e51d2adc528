public import AnvilClient
public import AnvilHTTP

/// A transport that uses libcurl: HTTP/1.1 and HTTP/2 over pooled connections, on one dedicated thread.
///
///     var configuration = CurlSession.Configuration()
///     configuration.tls.trust = .authorities(.file(URL(filePath: "/etc/company/ca.pem")))
///     configuration.timeouts.connect = .seconds(2)
///     let service = TransportService(session: CurlSession(configuration: configuration))
///
/// If a body is not read, the session applies backpressure to the server. Although libcurl could, the session does not follow redirects or
/// store cookies. It sends a request again only if a connection with HTTP/2 was lost before the response, and either the method is safe and
/// there is no body, or the server has certainly not processed the request, as after a GOAWAY. The requests of a session share connections,
/// TLS sessions and resolved names. Other sessions do not share them.
///
/// The thread starts with the first request. It ends when the last reference to the session is released, or with
/// ``shutDown(_:)``.
public final class CurlSession: TransportSession {
  /// A session with the default configuration, shared by the services that are created without a session.
  public static let shared = CurlSession()

  private let loop: CurlLoop

  /// Creates a session with a configuration. Problems with the configuration, such as a missing certificate, are reported by every
  /// request.
  public init(configuration: Configuration = Configuration()) {
    loop = CurlLoop(configuration: configuration)
  }

  deinit {
    // Transfers in progress are finished.
    loop.endLater(.finish)
  }

  /// An executor that runs tasks on the session's thread between the transfers. This saves two thread switches per request.
  ///
  ///     try await withTaskExecutorPreference(session.executor) { try await gateway.request("users", id).execute().value }
  ///
  /// All transfers of the session wait while such a task computes or blocks.
  public var executor: any TaskExecutor { loop }

  /// Sends `request` and returns when the response's head has been received.
  ///
  /// - Throws: ``TransportError``; see ``TransportSession``.
  public func send(
    _ request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    try request.validateForSending()
    guard request.body.isReadable else {
      throw TransportError(
        code: .requestBodyFailed, phase: .send, reason: HTTP.BodyError.alreadyConsumed.description,
        underlyingError: HTTP.BodyError.alreadyConsumed)
    }
    if request.body.trailers != nil, loop.configuration.httpVersion == .http2PriorKnowledge {
      throw TransportError(code: .invalidRequest, reason: "libcurl sends trailers over HTTP/1.1 only")
    }
    let exchange = Exchange(request: request, options: options, loop: loop)
    await withTaskCancellationHandler {
      await HeadContinuation.wait { exchange.start($0) }
    } onCancel: {
      exchange.cancel()
    }
    return try exchange.takeAnswer().get()
  }

  /// The handling of transfers when a session is shut down.
  public enum Shutdown: Hashable, Sendable {
    /// Lets the transfers finish.
    case finishingTransfers
    /// Cancels the transfers, which fail with `TransportError.Code.cancelled`.
    case cancellingTransfers
  }

  /// Ends the session, and returns when its thread has ended and its connections are closed. Later requests fail. Another call of this
  /// function waits for the same shutdown.
  ///
  /// With `finishingTransfers`, a body that is not read to its end delays the shutdown. Cancelling the calling task has no effect.
  public func shutDown(_ mode: Shutdown = .finishingTransfers) async {
    await loop.end(mode == .finishingTransfers ? .finish : .stop)
  }
}
