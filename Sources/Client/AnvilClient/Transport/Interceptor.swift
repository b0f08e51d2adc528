public import AnvilHTTP

/// A component between `TransportService` and the session. It sees each request before it is sent and each response before its status is
/// evaluated, and may change, answer or repeat them.
///
///     struct RequestID: Interceptor {
///       func intercept(
///         _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
///       ) async throws(TransportError) -> TransportResponse {
///         var request = request
///         request.headers[.xRequestID] = "…"
///         return try await next.send(request, options: options)
///       }
///     }
public protocol Interceptor: Sendable {
  /// Answers `request`, usually by calling `next`, which represents the interceptors after this one and finally the session.
  ///
  /// - Throws: ``TransportError``. An interceptor's specific error is its `underlyingError`.
  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse
}

/// A session whose requests pass through one interceptor.
struct InterceptedSession: TransportSession {
  let interceptor: any Interceptor
  let next: any TransportSession

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    try await interceptor.intercept(request, options: options, next: next)
  }
}
