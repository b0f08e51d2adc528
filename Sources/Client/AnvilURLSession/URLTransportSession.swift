internal import AnvilBase
public import AnvilClient
public import AnvilHTTP
internal import Synchronization

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
        await Result { () async throws(TransportError) in try await Upload(body) }
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
    if foundation == .corelibs, let headSizeError { throw headSizeError }
    if body.trailers != nil {
      throw TransportError(code: .invalidRequest, reason: "URLSession cannot send trailer fields")
    }
    // The libcurl of Foundation on Linux reads the proxies of the environment.
    if foundation == .corelibs,
      let error = ProxyURL.environmentError(
        forHost: url.sentHost ?? "", isSecure: url.scheme?.lowercased() == "https")
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

  /// Returns a field value as text: in UTF-8 or, if its bytes are not UTF-8, in Latin-1. Apple's Foundation reads UTF-8 as Latin-1, too, and that
  /// of Linux refuses a head with other bytes than UTF-8. Source: RFC 9110 §5.5.
  func text(of value: String) -> String {
    let bytes = value.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    guard self == .apple, bytes.count == value.unicodeScalars.count else { return value }
    return String(validating: bytes, as: UTF8.self) ?? value
  }
}

/// A delegate that forwards the callbacks of a session to their exchanges.
///
/// All methods are declared in the class that declares the conformances: on Linux, methods of a subclass are not called.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let exchanges = Mutex<[Int: Exchange]>([:])
  private let foundation = FoundationImplementation.current

  func add(_ exchange: Exchange) {
    exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
  }

  private func exchange(for task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(for: dataTask)?.received(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(for: dataTask)?.received(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    exchange(for: task)?.sent(totalBytesSent)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.completed(error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    let isExpected = exchange(for: task)?.refuseRedirection() == true
    // On Linux a transfer that was cancelled in the meantime does not expect an answer, and traps if it receives one.
    if isExpected || foundation == .apple { completionHandler(nil) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    switch foundation {
    case .corelibs:
      // Called only for a 401 with Basic authentication, after its head and body were received. Any answer other than cancelling makes
      // Foundation hang, repeat the request endlessly, or abort. The response is therefore completed here, and the cancellation ignored.
      exchange(for: task)?.completed(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    case .apple:
      // The system handles server trust and client certificates. A 401 is handled by the client.
      let isHTTP = [
        NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodNTLM,
        NSURLAuthenticationMethodNegotiate,
      ].contains(challenge.protectionSpace.authenticationMethod)
      completionHandler(isHTTP ? .rejectProtectionSpace : .performDefaultHandling, nil)
    }
  }
}

extension TransportError {
  /// On Linux most results of libcurl differ only in their text, which is matched. On Apple's platforms the text is localized.
  init(
    _ error: any Error, afterHead: Bool, elapsed: Duration, _ foundation: FoundationImplementation = .current
  ) {
    let phase: Phase = afterHead ? .body : .firstByte
    guard let error = error as? URLError else {
      // The description may contain the request's URL.
      let error = error as NSError
      self.init(code: .other, phase: phase, reason: "\(error.domain) \(error.code)")
      return
    }
    let text = error.localizedDescription
    // An invalid proxy of the environment is refused before the request is sent.
    if foundation == .corelibs, text.hasPrefix("Unsupported proxy") {
      self.init(code: .invalidRequest, phase: .connect, reason: "URLSession does not support the proxy")
      return
    }
    let code = Code(error.code, curlText: foundation == .corelibs ? text : "", afterHead: afterHead)
    let safeText = Self.safeText(ofLibrary: text) ?? "URLSession error \(error.errorCode)"
    // The error itself contains the request's URL, which may contain secrets, and the unchecked text.
    self.init(
      code: code, phase: phase, elapsed: code == .timedOut ? elapsed : nil, reason: safeText,
      underlyingError: URLError(error.code, userInfo: [NSLocalizedDescriptionKey: safeText]))
  }
}

extension TransportError.Code {
  /// - Parameter text: The message of libcurl; empty if Foundation does not use libcurl.
  fileprivate init(_ code: URLError.Code, curlText text: String, afterHead: Bool) {
    self =
      switch code {
      case .cancelled: .cancelled
      case .timedOut: .timedOut
      case .cannotFindHost, .dnsLookupFailed: .hostNotFound
      case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive:
        .noConnection
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
        .tlsFailure
      case .networkConnectionLost: afterHead ? .truncatedResponse : .connectionLost
      case .badServerResponse: text.hasPrefix("Empty reply") ? .connectionLost : .malformedResponse
      case .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse: .malformedResponse
      case .unsupportedURL:
        text.hasPrefix("Received HTTP/0.9") || text.hasPrefix("Unsupported ")
          ? .malformedResponse : .invalidRequest
      case .badURL: .invalidRequest
      case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .requestBodyStreamExhausted:
        .requestBodyFailed
      default: Self(curlText: text)
      }
  }

  /// Maps messages of libcurl, as of version 7.88.
  private init(curlText text: String) {
    let kinds: [(fragment: String, code: TransportError.Code)] = [
      ("transfer closed", .truncatedResponse),
      ("SSL", .tlsFailure),
      ("certificate", .tlsFailure),
      ("TLS", .tlsFailure),
      ("chunked-encoding", .malformedResponse),
      ("hexadecimal sequence", .malformedResponse),
      // The message for a header line of more than 100 kB.
      ("Out of memory", .malformedResponse),
      ("header", .malformedResponse),
      ("Header", .malformedResponse),
      ("Content-Length", .malformedResponse),
      ("content encoding", .malformedResponse),
      ("Failed writing received data", .malformedResponse),
    ]
    self = kinds.first { text.contains($0.fragment) }?.code ?? .other
  }
}

enum JoinedCookies {
  /// A comma starts a new cookie if a name and `=` follow and it is not within quotation marks; not in an `Expires` date. A quotation mark
  /// without a second one before the next semicolon has no meaning, as none has in RFC 6265bis §5.6.
  static func parted(_ joined: String) -> [String] {
    let parts = joined.split(separator: ",", omittingEmptySubsequences: false)
    var precedesQuote = parts.map { _ in false }
    for index in parts.indices.dropLast().reversed() {
      let mark = parts[index + 1].utf8.first { $0 == .quote || $0 == .semicolon }
      precedesQuote[index] = mark.map { $0 == .quote } ?? precedesQuote[index + 1]
    }
    var cookies: [String] = []
    var isQuoted = false
    for (part, precedesQuote) in zip(parts, precedesQuote) {
      if let last = cookies.indices.last, isQuoted || !beginsCookie(part) {
        cookies[last] += "," + part
      } else {
        cookies.append(String(part))
      }
      if !part.utf8.count(where: { $0 == .quote }).isMultiple(of: 2) { isQuoted.toggle() }
      isQuoted = isQuoted && precedesQuote
    }
    return cookies.map { $0.trimmingBlanks }
  }

  private static func beginsCookie(_ part: Substring) -> Bool {
    let name = part.prefix { $0 != "=" && $0 != ";" }
    return name.endIndex != part.endIndex && part[name.endIndex] == "="
      && !name.isEmpty && !name.drop { $0 == " " }.contains(" ")
  }
}
