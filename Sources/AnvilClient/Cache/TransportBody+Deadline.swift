extension TransportBody {
  /// The same body, which breaks off when the time is up, and its transfer with it, for a session that was not told of the
  /// deadline. Rule R9.
  func ending(by deadline: Deadline) -> TransportBody {
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
