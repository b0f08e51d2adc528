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
/// `TransportError.Phase.firstByte`. A GET with a body is refused, and so is a method that differs from a standard one in
/// case only: Foundation would send another. Proxies are those of the configuration and of the environment.
///
/// A streamed body that is read more slowly than it comes has its task suspended; on Linux, where that would close the
/// connection, what is not read yet waits in a temporary file.
///
/// On Linux it has limits that no wrapper can lift; README lists them.
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
    try request.checkForFoundation()
    let deadline = Deadline(options.timeout)
    if deadline.end == deadline.started { throw deadline.timedOut(in: .send) }
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
      throw TransportError(code: .invalidRequest, reason: "URLSession sends no body with GET")
    }
    let foundationRequest = URLRequest(request, hasBody: !upload.isEmpty, cachePolicy: options.cachePolicy)
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
  /// Refuses what Foundation would send in another way than it is said.
  fileprivate func checkForFoundation() throws(TransportError) {
    #if canImport(FoundationNetworking)
    if url.host()?.contains(":") == true {
      throw TransportError(code: .invalidRequest, reason: "URLSession on Linux takes no IPv6 address in a URL")
    }
    #endif
    if body.trailers != nil {
      throw TransportError(code: .invalidRequest, reason: "URLSession sends no trailer fields")
    }
    let name = method.rawValue
    if name != name.uppercased(), ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"].contains(name.uppercased()) {
      throw TransportError(
        code: .invalidRequest, reason: "methods are case-sensitive, and URLSession would send \(name.uppercased())")
    }
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
  fileprivate init(_ request: HTTP.Request, hasBody: Bool, cachePolicy: AnvilClient.CachePolicy) {
    // Foundation's own timeout is off: it counts whole seconds on Linux, where larger values than this trap.
    self.init(url: request.url, cachePolicy: .init(cachePolicy), timeoutInterval: 1e9)
    httpMethod = request.method.rawValue
    for field in request.headers where field.key != .contentLength && field.key != .cookie {
      // Foundation drops a value of blanks, which stands for an empty one.
      addValue(field.value.rawValue.trimmingCharacters(in: .whitespaces), forHTTPHeaderField: field.key.rawValue)
    }
    // Lines of one name are joined with commas, which cookies cannot be. Source: RFC 6265 §4.2.1.
    let cookies = request.headers.values(for: .cookie).map(\.rawValue).joined(separator: "; ")
    if !cookies.isEmpty { setValue(cookies, forHTTPHeaderField: "Cookie") }
    // Foundation would name the process.
    if !request.headers.contains(.userAgent) {
      setValue("Anvil/\(AnvilVersion.current)", forHTTPHeaderField: "User-Agent")
    }
    #if canImport(FoundationNetworking)
    if !request.headers.contains(.acceptEncoding) { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    // Foundation would call any other POST a URL form.
    if request.method == .post, hasBody, !request.headers.contains(.contentType) {
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
