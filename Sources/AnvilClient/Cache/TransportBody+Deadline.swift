extension TransportBody {
  /// Returns the same body, which fails at the deadline and then ends its transfer. For a session that does not receive the deadline. Rule
  /// R9.
  func ending(by deadline: RequestDeadline) -> TransportBody {
    guard let channel = source.channel else { return self }
    let watching = Task {
      guard (try? await deadline.wait()) != nil else { return }
      channel.abandon(with: deadline.error(in: .body))
    }
    return observed { event in
      if case .chunk = event { return }
      watching.cancel()
    }
  }
}
