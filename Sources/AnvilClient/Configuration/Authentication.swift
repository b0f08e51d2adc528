public import AnvilHTTP

/// A way in which a client authenticates its requests; see ``ClientConfiguration/authentication``.
public struct Authentication: Sendable {
  private enum Kind {
    case credential(Credential)
    case credentials([HTTP.Origin: Credential], proxy: Credential?)
    case bearer(TokenRefresher, Set<HTTP.Origin>?)
  }

  private let kind: Kind

  /// Authenticates with `credential` at the server of the gateway that creates the request. The credential is not sent with requests that a
  /// ``BackendService`` executes without a gateway. Use ``credentials(_:proxy:)`` if the URL of a gateway is input of the program.
  public static func credential(_ credential: Credential) -> Authentication {
    Authentication(kind: .credential(credential))
  }

  /// Authenticates with one credential per origin, and with one for a proxy; see ``AuthenticationInterceptor``.
  public static func credentials(_ credentials: [HTTP.Origin: Credential], proxy: Credential? = nil) -> Authentication {
    Authentication(kind: .credentials(credentials, proxy: proxy))
  }

  /// Authenticates with the token of `refresher`, which is refreshed once when a server rejects it; see ``BearerAuthentication``.
  ///
  /// - Parameter origins: the servers that the token is sent to. `nil` for the server of the gateway that creates the request.
  public static func bearer(_ refresher: TokenRefresher, origins: Set<HTTP.Origin>? = nil) -> Authentication {
    Authentication(kind: .bearer(refresher, origins))
  }

  /// Returns the interceptor that authenticates requests to the server at `origin`. For `nil`, it authenticates requests to the server
  /// of the gateway that creates them.
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
