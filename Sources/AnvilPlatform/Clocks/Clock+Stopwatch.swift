extension Clock where Duration == Swift.Duration {
  /// Returns a closure that returns the time since this call.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
