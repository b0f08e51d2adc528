internal import AnvilBase
public import AnvilClient
public import AnvilHTTP

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A transport session that uses Foundation's `URLSession`. It is the transport on Apple's platforms and is available on Linux.
///
/// Redirects are never followed. With the default configuration, cookies and credentials are not stored. The timeout is that of the
/// request, with sub-second precision. `URLSession` does not distinguish connecting from waiting for a response: a timeout before the head
/// has the phase `TransportError.Phase.firstByte`. A GET with a body is rejected, and so is a method that differs from a standard method
/// only in case, because Foundation would send a different request. Proxies are taken from the configuration and the environment.
///
/// If a streamed body is read more slowly than it arrives, its task is suspended. On Linux, suspending would close the connection. Unread
/// data is kept in a temporary file instead.
///
/// On Linux there are limitations that a wrapper cannot remove; the guide "Choosing and configuring a transport" lists them.
public final class URLTransportSession: TransportSession {
  /// A session with the default configuration. On platforms other than Linux, services without an explicit session share it.
  public static let shared = URLTransportSession()

  private let session: URLSession
  private let exchanges: ExchangeDelegate

  /// Creates a session with a copy of `configuration`.
  ///
  /// - Parameter configuration: By default ephemeral, without cookies, credentials and cache. Its timeouts are not used.
  public init(configuration: URLSessionConfiguration = .anvilDefault) {
    exchanges = ExchangeDelegate()
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit {
    // A URLSession retains its delegate until it is invalidated. Current transfers are completed.
    session.finishTasksAndInvalidate()
  }

  /// Sends `request` and suspends until the response's head arrives.
  ///
  /// - Throws: ``TransportError``; see ``TransportSession``.
  public func send(
    _ request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    try request.validateForSending()
    try request.checkForFoundation()
    let deadline = Deadline(after: options.timeout)
    if deadline.end == deadline.start { throw deadline.timedOut(in: .send) }
    let body = request.body
    let upload: Upload
    if let data = body.data {
      upload = Upload(data)
    } else {
      upload = try await deadline.limit(phase: .send) {
        do throws(TransportError) { return .success(try await Upload(body)) } catch { return .failure(error) }
      }
    }
    if request.method == .get, !upload.isEmpty {
      throw TransportError(code: .invalidRequest, reason: "URLSession cannot send a body with GET")
    }
    let foundationRequest = URLRequest(
      request, hasBody: !upload.isEmpty, cachePolicy: options.cachePolicy ?? .standard)
    let exchange = Exchange(
      request: request, delivery: options.responseDelivery, task: upload.task(for: foundationRequest, in: session),
      upload: upload, deadline: deadline,
      sending: upload.isEmpty ? nil : ProgressCounter(.sent, total: upload.length, handler: options.progressHandler))
    exchanges.add(exchange)

    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { exchange.start($0) }
    } onCancel: {
      exchange.end(TransportError(code: .cancelled, phase: .firstByte))
    }
    return try result.get()
  }
}

extension HTTP.Request {
  /// Rejects requests that Foundation would change or cannot send.
  func checkForFoundation(_ foundation: FoundationImplementation = .current) throws(TransportError) {
    if foundation == .corelibs, url.host()?.contains(":") == true {
      throw TransportError(code: .invalidRequest, reason: "URLSession on Linux does not support IPv6 addresses in URLs")
    }
    if body.trailers != nil {
      throw TransportError(code: .invalidRequest, reason: "URLSession cannot send trailer fields")
    }
    // The libcurl of Foundation on Linux reads the proxies of the environment.
    if foundation == .corelibs,
      let error = ProxyURL.environmentError(
        forHost: url.host() ?? "", isSecure: url.scheme?.lowercased() == "https")
    {
      throw error
    }
    let name = method.rawValue
    if name != name.uppercased(), ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"].contains(name.uppercased()) {
      throw TransportError(
        code: .invalidRequest, reason: "methods are case-sensitive, and URLSession would send \(name.uppercased())")
    }
  }
}

extension URLSessionConfiguration {
  /// An ephemeral configuration without cookies, stored credentials and cache, because the client handles these.
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
  /// Creates Foundation's representation of `request`, without its body.
  init(
    _ request: HTTP.Request, hasBody: Bool, cachePolicy: AnvilClient.CachePolicy,
    _ foundation: FoundationImplementation = .current
  ) {
    // Foundation's timeout is disabled: on Linux it counts whole seconds, and larger values than this trap.
    self.init(url: request.url, cachePolicy: .init(cachePolicy), timeoutInterval: 1e9)
    httpMethod = request.method.rawValue
    for field in request.headers where field.key != .contentLength && field.key != .cookie {
      // Foundation drops a value that consists of blanks, which is equivalent to an empty value.
      addValue(field.value.rawValue.trimmingBlanks, forHTTPHeaderField: field.key.rawValue)
    }
    // Foundation joins lines with the same name with commas, which is invalid for cookies. Source: RFC 6265 §4.2.1.
    let cookies = request.headers.values(for: .cookie).map(\.rawValue).joined(separator: "; ")
    if !cookies.isEmpty { setValue(cookies, forHTTPHeaderField: "Cookie") }
    // By default Foundation sends the name of the process.
    if !request.headers.contains(.userAgent) {
      setValue("Anvil/\(AnvilVersion.current)", forHTTPHeaderField: "User-Agent")
    }
    // Apple's Foundation requests the codings that it decodes.
    if foundation == .corelibs, !request.headers.contains(.acceptEncoding) {
      setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
    // Foundation would send any other POST as a URL form.
    if request.method == .post, hasBody, !request.headers.contains(.contentType) {
      setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    }
  }
}

extension URLRequest.CachePolicy {
  fileprivate init(_ policy: AnvilClient.CachePolicy) {
    self =
      switch policy {
      case .standard: .useProtocolCachePolicy
      case .reload: .reloadIgnoringLocalCacheData
      case .reloadEndToEnd: .reloadIgnoringLocalAndRemoteCacheData
      case .maxStale: .returnCacheDataElseLoad
      case .onlyIfCached: .returnCacheDataDontLoad
      case .noCache: .reloadRevalidatingCacheData
      }
  }
}

/// An implementation of Foundation, whose `URLSession` differs from the other in what its documentation leaves open.
///
/// Code that depends on the implementation takes it as an argument, so that the tests on Linux check the rules of both.
enum FoundationImplementation: CaseIterable, Sendable {
  /// Apple's. It speaks HTTP/2 and HTTP/3, requests and decodes content codings, and pauses suspended tasks.
  case apple
  /// swift-corelibs-foundation, on Linux. It uses libcurl, and passes most of its results on as English texts.
  case corelibs

  static var current: FoundationImplementation {
    #if canImport(FoundationNetworking)
    .corelibs
    #else
    .apple
    #endif
  }
}
