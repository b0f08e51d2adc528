public import AnvilHTTP

/// Stands between `TransportService` and the session: sees each request before it is sent and each response before it is
/// judged, and may change, answer or repeat them.
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
  /// Answers `request`, usually by way of `next`: the interceptors after this one and at last the session.
  ///
  /// - Throws: ``TransportError``; an interceptor's own reason goes into its `underlyingError`.
  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse
}

/// A session with one interceptor before it.
struct InterceptedSession: TransportSession {
  let interceptor: any Interceptor
  let next: any TransportSession

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    try await interceptor.intercept(request, options: options, next: next)
  }
}
