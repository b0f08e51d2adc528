internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A session's connections: in one pool those that carry one transfer at a time, in another those that carry many.
///
/// There are two because libcurl knows one limit per host, and what is enough for HTTP/2 is little for HTTP/1.1. A host that
/// may speak HTTP/2 begins in the second and moves to the first when it does not.
struct ConnectionPools {
  private let exclusive: ConnectionPool
  private let multiplexed: ConnectionPool
  private let httpVersion: CurlSession.Configuration.HTTPVersion
  /// Hosts and ports that did not choose HTTP/2 when they could.
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

  /// Which pool the exchange is for.
  func kind(for exchange: Exchange, _ url: String) -> PoolKind {
    switch httpVersion {
    case .http1: return .exclusive
    case .http2PriorKnowledge: return .multiplexed
    case .automatic:
      guard url.isSecureURL else { return .exclusive }
      // libcurl sends trailers by HTTP/1.1 only.
      if exchange.request.body.trailers != nil { return .exclusive }
      if exchange.mayBeHeldBack, !CurlLibrary.holdsStreamsBack { return .exclusive }
      return http1Authorities.isEmpty || !http1Authorities.contains(exchange.request.url.authority)
        ? .multiplexed : .exclusive
    }
  }

  /// Notes that the transfer's host does not speak HTTP/2, and tells whether that is news.
  mutating func learn(from transfer: Transfer) -> Bool {
    guard httpVersion == .automatic else { return false }
    // A bound for those that talk to hosts without number: they are asked anew.
    if http1Authorities.count >= 10_000 { http1Authorities.removeAll() }
    return http1Authorities.insert(transfer.exchange.request.url.authority).inserted
  }

  func add(_ handle: EasyHandle, _ kind: PoolKind) throws(TransportError) {
    try self[kind].add(handle)
  }

  func remove(_ handle: EasyHandle, _ kind: PoolKind) {
    self[kind].remove(handle)
  }

  /// When libcurl wants to be called, whatever happens; `.max` for not at all.
  var nextTimer: UInt64 { min(exclusive.timer, multiplexed.timer) }

  func serveTimers(_ now: UInt64) {
    exclusive.serveTimer(now)
    multiplexed.serveTimer(now)
  }

  func serve(_ event: EventPort.Event, _ watches: SocketWatches) {
    guard let kind = watches.noteEvent(on: event.descriptor) else { return }
    self[kind].serve(event)
  }

  /// A handle whose transfer has ended, and how.
  func nextDone() -> (EasyHandle, CURLcode)? {
    exclusive.nextDone() ?? multiplexed.nextDone()
  }

  func close() {
    exclusive.close()
    multiplexed.close()
  }
}

extension URL {
  /// Host and port, where the URL has one.
  fileprivate var authority: String {
    let host = host(percentEncoded: true)?.lowercased() ?? ""
    return port.map { "\(host):\($0)" } ?? host
  }
}
