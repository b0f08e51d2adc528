/// Which session a platform uses when none is named: the one place that decides.
enum DefaultSession {
  /// libcurl on Linux, where URLSession has limits that no wrapper can lift; URLSession elsewhere, where it is the system's.
  static var shared: any TransportSession {
    #if os(Linux)
    CurlSession.shared
    #else
    URLTransportSession.shared
    #endif
  }
}

extension TransportService {
  /// A service over the platform's default session: `CurlSession.shared` on Linux, `URLTransportSession.shared` elsewhere.
  ///
  /// - Parameter interceptors: asked in order, the first one outermost.
  public init(interceptors: [any Interceptor] = []) {
    self.init(session: DefaultSession.shared, interceptors: interceptors)
  }
}

extension BackendService {
  /// A service over the platform's default session that behaves as `configuration` says.
  public init(configuration: ClientConfiguration = .standard) {
    self.init(session: DefaultSession.shared, configuration: configuration)
  }
}
