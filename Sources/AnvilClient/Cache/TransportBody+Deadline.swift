extension TransportBody {
  /// Returns the body with a limit: at the deadline, reading fails and the transfer ends. Use it if the session was not given the deadline.
  /// Rule R9.
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
