internal import AnvilHTTP

/// Metrics of one attempt: times, byte counts, and the connection that was used.
///
/// Times are measured from the start of the attempt. A time is `nil` for a step that was not reached or not needed: a reused connection
/// needs no name resolution, and plain HTTP has no TLS handshake.
public struct TransferMetrics: Hashable, Sendable {
  /// The time until the host's name was resolved.
  public var nameResolved: Duration?
  /// The time until the connection was established.
  public var connected: Duration?
  /// The time until the TLS handshake was complete.
  public var secured: Duration?
  /// The time until the response's first byte.
  public var firstByte: Duration?
  /// The time until the end of the attempt.
  public var total: Duration
  /// The number of bytes of the request's body that were sent, without framing.
  public var sentByteCount: Int
  /// The number of bytes of the response's body that were received, without framing and before decompression.
  public var receivedByteCount: Int
  /// A Boolean value that indicates whether the connection was established for an earlier request.
  public var isConnectionReused: Bool
  /// The HTTP version of the response, as in ALPN: `http/1.1` or `h2`; `nil` without a response.
  public var protocolName: String?
  /// The peer's address, without a port; `nil` without a connection.
  public var remoteAddress: String?

  /// Creates the metrics of an attempt that took `total`.
  public init(
    nameResolved: Duration? = nil, connected: Duration? = nil, secured: Duration? = nil, firstByte: Duration? = nil,
    total: Duration, sentByteCount: Int = 0, receivedByteCount: Int = 0, isConnectionReused: Bool = false,
    protocolName: String? = nil, remoteAddress: String? = nil
  ) {
    self.nameResolved = nameResolved
    self.connected = connected
    self.secured = secured
    self.firstByte = firstByte
    self.total = total
    self.sentByteCount = sentByteCount
    self.receivedByteCount = receivedByteCount
    self.isConnectionReused = isConnectionReused
    self.protocolName = protocolName
    self.remoteAddress = remoteAddress
  }
}

extension TransferMetrics: CustomStringConvertible {
  /// The metrics in one line: `h2, reused, first byte 0.012 s, total 0.015 s, sent 0 B, received 512 B`.
  public var description: String {
    var parts = [protocolName ?? "no response", isConnectionReused ? "reused" : "new connection"]
    for (name, time) in [
      ("resolved", nameResolved), ("connected", connected), ("secured", secured), ("first byte", firstByte),
      ("total", total),
    ] {
      if let time { parts.append("\(name) \(time.secondsDescription)") }
    }
    parts += ["sent \(sentByteCount) B", "received \(receivedByteCount) B"]
    return parts.joined(separator: ", ")
  }
}
