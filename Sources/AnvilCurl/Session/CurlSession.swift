public import AnvilClient
public import AnvilHTTP

/// libcurl as a transport: HTTP/1.1 and HTTP/2 over connections that are kept and shared, on one thread of its own.
///
///     var configuration = CurlSession.Configuration()
///     configuration.tls.trust = .authorities(.file(URL(filePath: "/etc/company/ca.pem")))
///     configuration.timeouts.connect = .seconds(2)
///     let service = TransportService(session: CurlSession(configuration: configuration))
///
/// A body that is not read holds its server back. What libcurl could do and a session does not do, it does not do: it follows
/// no redirection, keeps no cookie, sends nothing twice. Connections, TLS sessions and resolved names are shared by the requests
/// of a session, and by nobody else.
///
/// The thread starts with the first request. It ends with the session: when the last reference goes, or by
/// ``shutDown(_:)``.
public final class CurlSession: TransportSession {
  /// A session with the default configuration, shared by the services that are not given one.
  public static let shared = CurlSession()

  private let loop: CurlLoop

  /// A session that connects as `configuration` says. What is wrong with that, such as a certificate that is not there, every
  /// request tells.
  public init(configuration: Configuration = Configuration()) {
    loop = CurlLoop(configuration: configuration)
  }

  deinit {
    // Transfers under way end as they would.
    loop.endLater(.finish)
  }

  /// The session's thread, for tasks that are to run there between the transfers: each of their requests saves two changes of
  /// threads.
  ///
  ///     try await withTaskExecutorPreference(session.executor) { try await gateway.request("users", id).execute().value }
  ///
  /// What such a task computes all transfers of the session wait for, and when it blocks they stop.
  public var executor: any TaskExecutor { loop }

  /// Sends `request` and returns when the response's head has come.
  ///
  /// - Throws: ``TransportError``; see ``TransportSession``.
  public func send(
    _ request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    do throws(HTTP.InvalidMessage) {
      try request.validate()
    } catch {
      throw TransportError(code: .invalidRequest, reason: error.description, underlyingError: error)
    }
    guard request.body.isReadable else {
      throw TransportError(
        code: .requestBodyFailed, phase: .send, reason: HTTP.BodyError.alreadyConsumed.description,
        underlyingError: HTTP.BodyError.alreadyConsumed)
    }
    if request.body.trailers != nil, loop.configuration.httpVersion == .http2PriorKnowledge {
      throw TransportError(code: .invalidRequest, reason: "libcurl sends trailers by HTTP/1.1 only")
    }
    let exchange = Exchange(request: request, options: options, loop: loop)
    await withTaskCancellationHandler {
      await HeadContinuation.wait { exchange.start($0) }
    } onCancel: {
      exchange.cancel()
    }
    return try exchange.takeAnswer().get()
  }

  /// What becomes of transfers when a session is shut down.
  public enum Shutdown: Hashable, Sendable {
    /// They end as they would.
    case finishingTransfers
    /// They fail with `TransportError.Code.cancelled`.
    case cancellingTransfers
  }

  /// Ends the session, and returns when its thread and its connections are gone. Later requests fail; a second call waits for
  /// the same.
  ///
  /// A transfer whose body nobody reads to its end holds up a shutdown that waits for it. Cancelling the calling task changes
  /// nothing.
  public func shutDown(_ mode: Shutdown = .finishingTransfers) async {
    await loop.end(mode == .finishingTransfers ? .finish : .stop)
  }
}
