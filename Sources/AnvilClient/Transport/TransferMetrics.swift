internal import AnvilHTTP

/// What one attempt took: how long until each point of it, how many bytes, and over which connection.
///
/// Times count from the attempt's start and are `nil` for a point that was not reached or not passed anew: a connection that
/// was used before resolves no name, and plain HTTP has no TLS handshake.
public struct TransferMetrics: Hashable, Sendable {
  /// Until the host's name was resolved.
  public var nameResolved: Duration?
  /// Until the connection was there.
  public var connected: Duration?
  /// Until the TLS handshake was done.
  public var secured: Duration?
  /// Until the response's first byte.
  public var firstByte: Duration?
  /// Until the end.
  public var total: Duration
  /// How many bytes of the request's body were sent, without framing.
  public var sentByteCount: Int
  /// How many bytes of the response's body came, without framing and as compressed as they came.
  public var receivedByteCount: Int
  /// Whether an earlier request had made the connection.
  public var isConnectionReused: Bool
  /// The version of HTTP of the response, as in ALPN: `http/1.1` or `h2`; `nil` when none came.
  public var protocolName: String?
  /// The peer's address, without a port; `nil` when there was no connection to one.
  public var remoteAddress: String?

  /// Metrics of an attempt that took `total`.
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
