internal import AnvilHTTP

/// A session that limits each attempt to the time that remains until the request's deadline. All interceptors act before it.
///
/// The limit of a streamed response ends with its head. ``TransportService`` limits the time for its body.
struct DeadlineSession: TransportSession {
  let session: any TransportSession

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    guard let deadline = options.expiry else { return try await session.send(request, options: options) }
    var bounded = options
    let remaining = try deadline.beginAttempt()
    let isBound = options.timeout.map { remaining <= $0 } ?? true
    if isBound { bounded.timeout = remaining }
    do throws(TransportError) {
      let response = try await session.send(request, options: bounded)
      deadline.endAttempt(hasExpired: false)
      return response
    } catch {
      let hasExpired = isBound && error.code == .timedOut
      deadline.endAttempt(hasExpired: hasExpired)
      throw hasExpired ? deadline.error(in: error.phase ?? .firstByte) : error
    }
  }
}
