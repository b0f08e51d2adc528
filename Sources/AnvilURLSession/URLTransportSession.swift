public import AnvilClient
public import AnvilHTTP

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Foundation's `URLSession` as a session: the transport of Apple's platforms, usable on Linux too.
///
/// Redirects are never followed, cookies and credentials never stored, and the timeout is the request's own, exact below
/// a second. `URLSession` does not tell connecting from waiting: a timeout before the head names the phase
/// `TransportError.Phase.firstByte`.
///
/// On Linux it has limits that no wrapper can lift: the process is aborted by a chunked response with trailer fields and
/// by a head that ends after a complete field line without a length; a URL with an IPv6 literal is refused; a body comes as
/// fast as the server sends it, without back-pressure; header lines of one name come joined, in no order, and are lost but for the
/// last where their names differ in case. A compressed body that is
/// cut short goes unnoticed there, so that responses are asked for uncompressed unless the request says otherwise.
public final class URLTransportSession: TransportSession {
  /// A session with the default configuration, shared by the services that are not given one.
  public static let shared = URLTransportSession()

  private let session: URLSession
  private let exchanges: ExchangeDelegate

  /// A session made from a copy of `configuration`.
  ///
  /// - Parameter configuration: ephemeral, without cookies, credentials and cache, unless given. Its timeouts are not used.
  public init(configuration: URLSessionConfiguration = .anvilDefault) {
    exchanges = ExchangeDelegate()
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit {
    // The session keeps its delegate until it is told to end; transfers under way end as they would.
    session.finishTasksAndInvalidate()
  }

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
    #if canImport(FoundationNetworking)
    if request.url.host()?.contains(":") == true {
      throw TransportError(code: .invalidRequest, reason: "URLSession on Linux takes no IPv6 address in a URL")
    }
    #endif
    let upload = try await Upload(request)
    let task = upload.task(for: URLRequest(request, cachePolicy: options.cachePolicy), in: session)
    let exchange = Exchange(request: request, task: task, upload: upload)
    exchanges.add(exchange)

    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchange.start(timeout: options.timeout, continuation)
      }
    } onCancel: {
      exchange.end(TransportError(code: .cancelled))
    }
    return try result.get()
  }
}

extension URLSessionConfiguration {
  /// Ephemeral, and without cookies, stored credentials and cache: those are the client's work.
  public static var anvilDefault: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    return configuration
  }
}

extension URLRequest {
  /// `request` as Foundation says it, without its body.
  fileprivate init(_ request: HTTP.Request, cachePolicy: AnvilClient.CachePolicy) {
    // Foundation's own timeout is off: it counts whole seconds on Linux, where larger values than this trap.
    self.init(url: request.url, cachePolicy: .init(cachePolicy), timeoutInterval: 1e9)
    httpMethod = request.method.rawValue
    for field in request.headers { addValue(field.value.rawValue, forHTTPHeaderField: field.key.rawValue) }
    // Foundation would name the process.
    if !request.headers.contains(.userAgent) {
      setValue("Anvil/\(AnvilVersion.current)", forHTTPHeaderField: "User-Agent")
    }
    #if canImport(FoundationNetworking)
    if !request.headers.contains(.acceptEncoding) { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    // Foundation would call any other POST a URL form.
    if request.method == .post, !request.body.isEmpty, !request.headers.contains(.contentType) {
      setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    }
    #endif
  }
}

extension URLRequest.CachePolicy {
  fileprivate init(_ policy: AnvilClient.CachePolicy) {
    self =
      switch policy {
      case .useProtocolCachePolicy: .useProtocolCachePolicy
      case .reloadIgnoringLocalCacheData: .reloadIgnoringLocalCacheData
      case .reloadIgnoringLocalAndRemoteCacheData: .reloadIgnoringLocalAndRemoteCacheData
      case .returnCacheDataElseLoad: .returnCacheDataElseLoad
      case .returnCacheDataDontLoad: .returnCacheDataDontLoad
      case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
      }
  }
}
