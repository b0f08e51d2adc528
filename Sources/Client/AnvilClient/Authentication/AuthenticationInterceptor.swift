internal import AnvilBase
package import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Authenticates requests to the given origins, and to no others, as ``Authentication/credentials(_:proxy:)`` describes.
///
/// It comes after ``RedirectInterceptor``, so that each redirected request is authenticated for its origin. Redirects and answers to
/// challenges count towards the same limit.
package struct AuthenticationInterceptor: Interceptor {
  private let credentials: [HTTP.Origin: Credential]
  /// The credential for the server of the gateway that a request comes from.
  private let home: Credential?
  private let proxy: Credential?
  private let schemes: PreemptiveSchemes

  /// Creates an interceptor with a credential for each of the origins.
  ///
  /// - Parameters:
  ///   - credentials: The credential for each origin. It is not sent to any other scheme, host or port.
  ///   - proxy: The credential for a proxy's 407 to a plain HTTP request. A 407 over https comes from the server and is not answered.
  ///     Nothing is sent before the first 407. Use it only with a session that does not send `Proxy-Authorization` to servers, such as
  ///     `CurlSession`. The credentials of a proxy for https belong in the configuration of that session.
  package init(credentials: [HTTP.Origin: Credential], proxy: Credential? = nil) {
    self.init(credentials: credentials, proxy: proxy, makeClientNonce: Self.randomNonce)
  }

  /// Creates an interceptor with a credential for the server of the gateway that a request comes from.
  init(home: Credential) {
    self.init(credentials: [:], home: home, makeClientNonce: Self.randomNonce)
  }

  /// Creates an interceptor with client nonces from `makeClientNonce`. A nonce must be unpredictable and contain no quotation marks.
  package init(
    credentials: [HTTP.Origin: Credential], home: Credential? = nil, proxy: Credential? = nil,
    makeClientNonce: @escaping @Sendable () -> String
  ) {
    self.credentials = credentials
    self.home = home
    self.proxy = proxy
    schemes = PreemptiveSchemes(makeClientNonce: makeClientNonce)
  }

  /// Returns 128 random bits from the system.
  private static func randomNonce() -> String {
    var random = SystemRandomNumberGenerator()
    return String(random.next() as UInt64, radix: 36) + String(random.next() as UInt64, radix: 36)
  }

  /// Sends `request` with its credentials, and again to answer challenges.
  ///
  /// - Throws: `tooManyRedirects` if the common limit for redirects and challenges is exceeded. `authenticationFailed` if the hash of the
  ///   body is required and the body can be read only once, and `requestBodyFailed` if the body cannot be read for the hash. The errors of
  ///   the next session.
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = request.origin else { return try await next.send(request, options: options) }
    var server: ChallengeMachine?
    if let credential = credentials[origin] ?? (origin == options.home ? home : nil),
      !request.headers.contains(.authorization)
    {
      server = ChallengeMachine(credential, for: .origin(origin), schemes: schemes)
    }
    var gateway: ChallengeMachine?
    if let proxy, origin.scheme == "http", !request.headers.contains(.proxyAuthorization) {
      gateway = ChallengeMachine(proxy, for: .proxy, schemes: schemes)
    }
    guard server != nil || gateway != nil else { return try await next.send(request, options: options) }

    var options = options
    let followUps = options.followUps ?? FollowUpLimit()
    options.followUps = followUps
    let target = RequestTarget(request.url)
    var attempts: [HTTP.History.Attempt] = []
    while true {
      var sent = request
      do throws(TransportError) {
        if let value = try await server?.value(for: request.method, target: target.origin, body: request.body) {
          sent.headers[.authorization] = value
        }
        if let value = try await gateway?.value(for: request.method, target: target.absolute, body: request.body) {
          sent.headers[.proxyAuthorization] = value
        }
      } catch {
        throw error.following(attempts: attempts)
      }
      var response = try await next.send(sent, options: options, following: &attempts)
      // After redirects, the response may come from another origin.
      guard HTTP.Origin(response.head.url) == origin else { return response }
      let challenges = response.head.challenges
      guard request.body.isReplayable || request.body.isEmpty else {
        let machine = response.head.code == 401 ? server : response.head.code == 407 ? gateway : nil
        guard machine?.needsBody(for: challenges) != true else {
          throw TransportError.bodyCannotBeHashed.following(attempts: attempts)
        }
        return response
      }
      let action: ChallengeMachine.Action? =
        switch response.head.code {
        case 401: server?.receive(challenges)
        case 407: gateway?.receive(challenges)
        default: nil
        }
      guard case .answer(let scheme) = action else { return response }
      await response.discard()
      guard followUps.take() else { throw followUps.exceeded.following(attempts: attempts) }
      if let scheme { options.eventHandler?(.authenticating(scheme: scheme)) }
    }
  }
}

/// The forms of the target in a request line. Source: RFC 9112 §3.2.
private struct RequestTarget {
  /// The path and the query, as sent to a server.
  let origin: String
  /// The URL without credentials and fragment, as sent to a proxy.
  let absolute: String

  init(_ url: URL) {
    let parts = URIReference(url.absoluteString)
    origin = (parts.path.isEmpty ? "/" : parts.path) + (parts.query.map { "?\($0)" } ?? "")
    let host = parts.authority.map { $0.split(separator: "@", omittingEmptySubsequences: false).last ?? "" } ?? ""
    absolute = "\(parts.scheme ?? "http")://\(host)\(origin)"
  }
}

extension HTTP.Response {
  /// The challenges of a 401 or a 407.
  fileprivate var challenges: [AuthChallenge] {
    switch code {
    case 401: AuthChallenge.challenges(in: headers.values(for: .wwwAuthenticate))
    case 407: AuthChallenge.challenges(in: headers.values(for: .proxyAuthenticate))
    default: []
    }
  }
}
