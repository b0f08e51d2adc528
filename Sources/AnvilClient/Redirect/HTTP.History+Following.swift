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
  func following(
    _ redirections: [HTTP.History.Redirection] = [], attempts: [HTTP.History.Attempt]
  ) -> TransportError {
    var error = self
    error.history.prepend(redirections, attempts: attempts)
    return error
  }
}
