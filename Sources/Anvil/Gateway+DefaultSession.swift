#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Gateway {
  /// A gateway to what is under `baseURL`, over the platform's default session.
  ///
  /// `interceptors` are asked in order, the first one outermost, `preparationStrategies` applied in order before every attempt,
  /// `recoveryStrategies` asked in order after every failure.
  public init(
    baseURL: URL, headers: HTTP.Headers = [:], encodingFormat: any EncodingFormat = JSON.Encoder(),
    decodingFormat: any DecodingFormat = RequestDefaults.defaultDecoder,
    interceptors: [any Interceptor] = [], preparationStrategies: [any PreparationStrategy] = [],
    recoveryStrategies: [any RecoveryStrategy] = []
  ) {
    self.init(
      baseURL: baseURL, headers: headers, encodingFormat: encodingFormat, decodingFormat: decodingFormat,
      backend: BackendService(
        interceptors: interceptors, preparationStrategies: preparationStrategies, recoveryStrategies: recoveryStrategies
      ))
  }
}
