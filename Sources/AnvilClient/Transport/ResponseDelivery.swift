/// When a successful response is handed over: whole, or as soon as its head has come.
public enum ResponseDelivery: Hashable, Sendable {
  /// With its body in memory.
  case collected
  /// At its head, with a body that is read once, chunk by chunk, as it arrives: `for try await chunk in response.body`.
  ///
  /// What cuts the body short, the timeout included, is the ``TransportError`` of that read; nothing is sent again for it.
  /// Cancelling the task that reads ends the transfer, and so does letting go of the body before its end. Its length is
  /// known where the head announces one and nothing compresses it.
  ///
  /// Read it as slowly as you like: of what has come no more than some MiB are in memory. A session that can holds the server
  /// back meanwhile, which the timeout does not wait for; one that cannot, such as URLSession on Linux, keeps the rest in a
  /// temporary file.
  ///
  /// A response of another status than 2xx still comes with its body in memory, but only the first MiB of it; the reason
  /// of the error then says that it was cut.
  case streamed
}
