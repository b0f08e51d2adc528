extension TransportService {
  /// A service over the platform's default session.
  ///
  /// - Parameter interceptors: asked in order, the first one outermost.
  public init(interceptors: [any Interceptor] = []) {
    self.init(session: URLTransportSession.shared, interceptors: interceptors)
  }
}

extension BackendService {
  /// A service over the platform's default session.
  ///
  /// - Parameters:
  ///   - preparationStrategies: applied in order before every attempt.
  ///   - recoveryStrategies: asked in order after every failure.
  public init(
    preparationStrategies: [any PreparationStrategy] = [], recoveryStrategies: [any RecoveryStrategy] = []
  ) {
    self.init(
      transportService: TransportService(), preparationStrategies: preparationStrategies,
      recoveryStrategies: recoveryStrategies)
  }
}
