public import AnvilBase

package enum DefaultSession {
  /// The default session: libcurl on Linux, where URLSession has limitations that a wrapper cannot remove, and the system's URLSession
  /// elsewhere.
  package static var shared: any TransportSession {
    #if os(Linux)
    CurlSession.shared
    #else
    URLTransportSession.shared
    #endif
  }
}

extension TransportService {
  /// Creates a service over the platform's default session: `CurlSession.shared` on Linux, `URLTransportSession.shared` elsewhere.
  ///
  /// - Parameter interceptors: the interceptors, in the order in which they receive a request. The first one receives the response last.
  public init(interceptors: [any Interceptor] = []) {
    self.init(session: DefaultSession.shared, interceptors: interceptors)
  }
}

extension BackendService {
  /// Creates a service over the platform's default session, with the behavior that `configuration` describes.
  public init(configuration: ClientConfiguration = .standard) {
    self.init(session: DefaultSession.shared, configuration: configuration)
  }
}

extension Gateway {
  /// Creates a gateway to `baseURL` over the platform's default session, with the behavior that `configuration` describes.
  public init(baseURL: URL, configuration: ClientConfiguration = .standard) {
    self.init(baseURL: baseURL, session: DefaultSession.shared, configuration: configuration)
  }

  /// Creates a gateway to a URL that is a literal in the program, over the platform's default session. A literal that is not a URL with
  /// a host stops the program.
  public init(_ baseURL: StaticString, configuration: ClientConfiguration = .standard) {
    self.init(baseURL, session: DefaultSession.shared, configuration: configuration)
  }
}

extension CookieJar {
  /// Creates an empty jar with the system's list of public suffixes, which is libpsl's on Linux. Without such a list, domains without a dot
  /// are treated as public suffixes: a cookie cannot apply to their subdomains.
  ///
  /// - Parameter now: Returns the current time, with which expiry dates are compared. `nil` for that of the configuration whose request uses
  ///   the jar first.
  public convenience init(now: (@Sendable () -> Date)? = nil) {
    #if os(Linux)
    self.init(publicSuffixes: .installed ?? .singleLabels, now: now)
    #else
    self.init(publicSuffixes: .singleLabels, now: now)
    #endif
  }
}
