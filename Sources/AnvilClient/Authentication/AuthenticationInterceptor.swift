public import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Says who sends a request, to the origins that a caller names and to no other.
///
///     guard let origin = HTTP.Origin(baseURL) else { … }
///     let authentication = AuthenticationInterceptor(
///       credentials: [origin: try .password(username: "smith", password: password)])
///
/// Of all the challenges of a 401 the strongest that the credential can answer is answered: Digest with SHA-512-256, with
/// SHA-256, with MD5, Basic. What was asked for once is sent with the next requests to that origin, Digest with its count. A
/// credential that is rejected is not sent a second time: the 401 is the response. So it is for a body that can be sent
/// only once, and for a request with an `Authorization` of its own.
///
/// A server that offers only `qop=auth-int` is sent the hash of the request's body, for which a file is read once more. A body
/// that can be read only once fails with `TransportError.Code.authenticationFailed` then.
///
/// Let it follow ``RedirectInterceptor``: then each request of the way is asked anew where it goes. Both share a limit.
public struct AuthenticationInterceptor: Interceptor {
  private let credentials: [HTTP.Origin: Credential]
  /// What is sent to the server of the gateway that a request comes from.
  private let home: Credential?
  private let proxy: Credential?
  private let schemes: ProvenSchemes

  /// An interceptor with a credential for each of the origins.
  ///
  /// - Parameters:
  ///   - credentials: what is sent where. A credential goes to no other scheme, host or port.
  ///   - proxy: what answers a proxy's 407 to a plain HTTP request; a 407 over https is the server's and is not
  ///     answered. Nothing is sent before a 407. Give it only to a session that keeps `Proxy-Authorization` from
  ///     servers, as `CurlSession` does, whose configuration also is where a proxy's credentials for https belong.
  public init(credentials: [HTTP.Origin: Credential], proxy: Credential? = nil) {
    self.init(credentials: credentials, proxy: proxy, makeClientNonce: Self.randomNonce)
  }

  /// An interceptor with a credential for the server of the gateway that a request comes from.
  init(home: Credential) {
    self.init(credentials: [:], home: home, makeClientNonce: Self.randomNonce)
  }

  /// The same, with client's nonces by `makeClientNonce`: text without quotation marks that nobody can foresee.
  package init(
    credentials: [HTTP.Origin: Credential], home: Credential? = nil, proxy: Credential? = nil,
    makeClientNonce: @escaping @Sendable () -> String
  ) {
    self.credentials = credentials
    self.home = home
    self.proxy = proxy
    schemes = ProvenSchemes(makeClientNonce: makeClientNonce)
  }

  /// 128 bits of the system's random numbers.
  private static func randomNonce() -> String {
    var random = SystemRandomNumberGenerator()
    return String(random.next() as UInt64, radix: 36) + String(random.next() as UInt64, radix: 36)
  }

  /// Sends `request` with what its origin is to know, and again to answer challenges.
  ///
  /// - Throws: `tooManyRedirects` at the limit that redirects and challenges share; `authenticationFailed` for a body whose hash
  ///   is asked for and that can be read only once; what the next session throws.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = HTTP.Origin(request.url) else { return try await next.send(request, options: options) }
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
      var response: TransportResponse
      do throws(TransportError) {
        response = try await next.send(sent, options: options)
      } catch {
        throw error.following(attempts: attempts)
      }
      let earlier = attempts
      attempts += response.head.history.attempts
      response.head.history.prepend(attempts: earlier)
      // A response that redirects led to elsewhere is not this origin's.
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

/// The ways in which a request's line says what it asks for. Source: RFC 9112 §3.2.
private struct RequestTarget {
  /// Path and query, as a server is asked.
  let origin: String
  /// The URL without credentials and fragment, as a proxy is asked.
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
