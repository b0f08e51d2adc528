/// The time at which a successful response is delivered: with its complete body, or as soon as its head arrives.
public enum ResponseDelivery: Hashable, Sendable {
  /// Deliver the response with its body in memory.
  case collected
  /// Deliver the response when its head arrives. Its body is read once, chunk by chunk, as it arrives:
  /// `for try await chunk in response.body`.
  ///
  /// ``RequestSettings/timeout`` ends with the head; ``RequestSettings/idleTimeout`` and ``RequestSettings/deadline`` limit the time for the
  /// body. If the body is interrupted, for example by one of them, reading it throws the ``TransportError``, and the request is not sent again.
  /// Cancelling the task that reads ends the transfer, and so does releasing the body before its end. The length of the body is known if
  /// the head announces it and the body is not compressed.
  ///
  /// The body may be read slowly: at most a few MiB of unread data are kept in memory. A session that supports backpressure pauses the
  /// server meanwhile, but the deadline keeps running. A session that does not, such as URLSession on Linux, stores the rest in a
  /// temporary file.
  ///
  /// A response whose status is not 2xx is still delivered with its body in memory, but with at most its first MiB. If the body was cut,
  /// the reason of the error states this.
  case streamed
}
