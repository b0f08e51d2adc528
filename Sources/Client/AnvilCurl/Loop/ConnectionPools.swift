internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The connections of a session. One pool contains connections that carry one transfer at a time, another pool contains shared connections.
///
/// There are two pools because libcurl has a single limit per host, and a limit that suits HTTP/2 is too low for HTTP/1.1. A host that may
/// support HTTP/2 uses the second pool at first. If it does not support HTTP/2, it uses the first pool from then on.
struct ConnectionPools {
  private let exclusive: ConnectionPool
  private let multiplexed: ConnectionPool
  private let httpVersion: CurlSession.Configuration.HTTPVersion
  /// The hosts and ports that did not choose HTTP/2 when it was offered.
  private var http1Authorities: Set<String> = []

  init(configuration: CurlSession.Configuration, watches: SocketWatches) {
    httpVersion = configuration.httpVersion
    exclusive = ConnectionPool(kind: .exclusive, configuration: configuration, watches: watches)
    multiplexed = ConnectionPool(kind: .multiplexed, configuration: configuration, watches: watches)
  }

  private subscript(kind: PoolKind) -> ConnectionPool {
    switch kind {
    case .exclusive: exclusive
    case .multiplexed: multiplexed
    }
  }

  /// Returns the pool for the exchange.
  func kind(for exchange: Exchange, _ url: String) -> PoolKind {
    switch httpVersion {
    case .http1: return .exclusive
    case .http2PriorKnowledge: return .multiplexed
    case .automatic:
      guard url.isSecureURL else { return .exclusive }
      // libcurl sends trailers over HTTP/1.1 only.
      if exchange.request.body.trailers != nil { return .exclusive }
      if exchange.mayBeHeldBack, !CurlLibrary.canPauseStreams { return .exclusive }
      return http1Authorities.isEmpty || !http1Authorities.contains(exchange.request.url.authority)
        ? .multiplexed : .exclusive
    }
  }

  /// Records that the transfer's host does not support HTTP/2. Returns `false` if this was already known.
  mutating func learn(from transfer: Transfer) -> Bool {
    guard httpVersion == .automatic else { return false }
    // Bounds the set for sessions that connect to an unlimited number of hosts. Those hosts are then tried with HTTP/2 again.
    if http1Authorities.count >= 10_000 { http1Authorities.removeAll() }
    return http1Authorities.insert(transfer.exchange.request.url.authority).inserted
  }

  func add(_ handle: EasyHandle, _ kind: PoolKind) throws(TransportError) {
    try self[kind].add(handle)
  }

  func remove(_ handle: EasyHandle, _ kind: PoolKind) {
    self[kind].remove(handle)
  }

  /// The time at which libcurl must be called at the latest; `.max` if no call is due.
  var nextTimer: UInt64 { min(exclusive.timer, multiplexed.timer) }

  func serveTimers(_ now: UInt64) {
    exclusive.serveTimer(now)
    multiplexed.serveTimer(now)
  }

  func serve(_ event: EventPort.Event, _ watches: SocketWatches) {
    guard let kind = watches.noteEvent(on: event.descriptor) else { return }
    self[kind].serve(event)
  }

  /// Returns the handle of a completed transfer and its result.
  func nextDone() -> (EasyHandle, CURLcode)? {
    exclusive.nextDone() ?? multiplexed.nextDone()
  }

  func close() {
    exclusive.close()
    multiplexed.close()
  }
}

extension URL {
  /// The host and the port, if the URL has one.
  fileprivate var authority: String {
    let host = host(percentEncoded: true)?.lowercased() ?? ""
    return port.map { "\(host):\($0)" } ?? host
  }
}
