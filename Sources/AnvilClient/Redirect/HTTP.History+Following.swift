internal import AnvilHTTP

extension HTTP.History {
  /// Puts what came before in front: the redirects that were followed, and the attempts that failed on the way.
  mutating func prepend(_ redirections: [Redirection] = [], attempts: [Attempt]) {
    // An empty history costs no allocation, as long as nothing is set.
    if !redirections.isEmpty { self.redirections = redirections + self.redirections }
    if !attempts.isEmpty { self.attempts = attempts + self.attempts }
  }
}

extension TransportError {
  /// The error with what came before it in its history.
  func following(
    _ redirections: [HTTP.History.Redirection] = [], attempts: [HTTP.History.Attempt]
  ) -> TransportError {
    var error = self
    error.history.prepend(redirections, attempts: attempts)
    return error
  }
}
