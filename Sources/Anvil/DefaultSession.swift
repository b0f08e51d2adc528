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
  /// A service over the platform's default session.
  ///
  /// - Parameters:
  ///   - interceptors: asked in order, the first one outermost.
  ///   - preparationStrategies: applied in order before every attempt.
  ///   - recoveryStrategies: asked in order after every failure.
  public init(
    interceptors: [any Interceptor] = [], preparationStrategies: [any PreparationStrategy] = [],
    recoveryStrategies: [any RecoveryStrategy] = []
  ) {
    self.init(
      transportService: TransportService(interceptors: interceptors), preparationStrategies: preparationStrategies,
      recoveryStrategies: recoveryStrategies)
  }
}
