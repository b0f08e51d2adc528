public import AnvilHTTP

/// How a client's requests prove who sends them: a part of a ``ClientConfiguration``.
public struct Authentication: Sendable {
  private enum Kind {
    case credential(Credential)
    case credentials([HTTP.Origin: Credential], proxy: Credential?)
    case bearer(TokenRefresher, Set<HTTP.Origin>?)
  }

  private let kind: Kind

  /// `credential` for the server of the gateway that a request comes from. It is not sent with what a ``BackendService`` executes
  /// without a gateway.
  public static func credential(_ credential: Credential) -> Authentication {
    Authentication(kind: .credential(credential))
  }

  /// Credentials for the servers that are named, and for a proxy; see ``AuthenticationInterceptor``.
  public static func credentials(_ credentials: [HTTP.Origin: Credential], proxy: Credential? = nil) -> Authentication {
    Authentication(kind: .credentials(credentials, proxy: proxy))
  }

  /// The token of `refresher`, which is renewed once when a server rejects it; see ``BearerAuthentication``.
  ///
  /// - Parameter origins: the servers that the token is sent to. `nil` for that of the gateway that a request comes from.
  public static func bearer(_ refresher: TokenRefresher, origins: Set<HTTP.Origin>? = nil) -> Authentication {
    Authentication(kind: .bearer(refresher, origins))
  }

  /// What does it: for the server at `origin`, or for that of the gateway that a request comes from.
  func interceptor(for origin: HTTP.Origin?) -> any Interceptor {
    switch kind {
    case .credential(let credential):
      origin.map { AuthenticationInterceptor(credentials: [$0: credential]) }
        ?? AuthenticationInterceptor(home: credential)
    case .credentials(let credentials, let proxy):
      AuthenticationInterceptor(credentials: credentials, proxy: proxy)
    case .bearer(let refresher, let origins):
      (origins ?? origin.map { [$0] }).map { BearerAuthentication(refresher, origins: $0) }
        ?? BearerAuthentication(home: refresher)
    }
  }
}
