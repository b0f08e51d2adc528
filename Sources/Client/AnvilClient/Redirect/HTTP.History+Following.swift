internal import AnvilHTTP

extension HTTP.History {
  /// Inserts earlier events at the front: the redirects that were followed and the attempts that failed.
  mutating func prepend(_ redirections: [Redirection] = [], attempts: [Attempt]) {
    // An empty history needs no allocation until a property is set.
    if !redirections.isEmpty { self.redirections = redirections + self.redirections }
    if !attempts.isEmpty { self.attempts = attempts + self.attempts }
  }
}

extension TransportError {
  /// Returns the error with earlier redirects and attempts in its history.
  @inline(never)
  func following(
    _ redirections: [HTTP.History.Redirection] = [], attempts: [HTTP.History.Attempt]
  ) -> TransportError {
    var error = self
    error.history.prepend(redirections, attempts: attempts)
    return error
  }
}

extension TransportSession {
  /// Sends `request` and adds the earlier attempts in `attempts` to the history of the response or of the error. Then appends the attempts
  /// of the response to `attempts`.
  func send(
    _ request: HTTP.Request, options: TransportOptions, following attempts: inout [HTTP.History.Attempt]
  ) async throws(TransportError) -> TransportResponse {
    var response: TransportResponse
    do throws(TransportError) {
      response = try await send(request, options: options)
    } catch {
      throw error.following(attempts: attempts)
    }
    let earlier = attempts
    attempts += response.head.history.attempts
    response.head.history.prepend(attempts: earlier)
    return response
  }
}
