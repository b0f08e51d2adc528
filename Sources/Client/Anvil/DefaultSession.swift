/// The session that a platform uses by default.
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
