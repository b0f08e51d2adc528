extension Duration {
  /// The longest time limit: 10⁹ seconds, 31 years. Clocks trap if an instant overflows.
  private static var longestLimit: Duration { .seconds(1_000_000_000) }

  /// The duration as a time limit. A negative duration counts as zero. `nil`, which means no limit, if the duration is longer than 10⁹
  /// seconds.
  package var asLimit: Duration? {
    self <= Self.longestLimit ? max(self, .zero) : nil
  }

  /// The duration, clamped to 0 … 10⁹ seconds, so that it can be added to an instant.
  package var clampedForClocks: Duration { min(max(self, .zero), Self.longestLimit) }
}
