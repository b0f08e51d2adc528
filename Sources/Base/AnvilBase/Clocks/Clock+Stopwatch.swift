extension Clock where Duration == Swift.Duration {
  /// Returns a closure that returns the time since this call.
  package func stopwatch() -> @Sendable () -> Duration {
    // Without generic code, which took 570 instead of 200 instructions of each request.
    if Self.self == ContinuousClock.self {
      let start = ContinuousClock.now
      return { ContinuousClock.now - start }
    }
    let start = now
    return { start.duration(to: self.now) }
  }
}
