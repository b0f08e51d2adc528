internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

/// The sockets that are watched, with the events and the connection pool of each socket.
///
/// libcurl stops watching a socket after each request and starts again with the next request. The stop is only recorded, which saves a
/// system call: with 64 concurrent requests, a request takes 15 instead of 17 µs of processor time. If an event arrives on such a socket,
/// the watch is ended then; an idle connection is ended instead.
final class SocketWatches {
  private struct Watch {
    var registered: EventPort.Interest = []
    var wanted: EventPort.Interest = []
    var kind = PoolKind.exclusive
    /// True if the socket was opened by this package's callback, which also reports when it is closed. libcurl opens other sockets itself,
    /// for notifications of its resolver.
    var isOwn = false
    /// True for a connection that carries one transfer at a time and waits for the next. The server should not send anything then.
    var isIdle = false
    /// The number of the opened socket, counted from 1; 0 if no socket was opened.
    var opening: UInt64 = 0
    /// The time when libcurl first waited to read from the socket, which means that it is connected. 0 before that time.
    var connectedAt: UInt64 = 0
  }

  private let port: EventPort
  private var openings: UInt64 = 0
  /// The watches. The index is the descriptor of the socket, which is a small number.
  private var watches: [Watch] = []

  init(port: EventPort) {
    self.port = port
  }

  /// An opened socket, which is distinguished from earlier and later sockets with the same descriptor.
  struct Opening {
    fileprivate let index: Int
    var descriptor: Int32 { Int32(index) }
    fileprivate let number: UInt64
  }

  /// Records that a socket was opened.
  func adopt(_ descriptor: Int32) -> Opening? {
    guard let index = makeRoom(for: descriptor) else { return nil }
    openings += 1
    watches[index] = Watch()
    watches[index].isOwn = true
    watches[index].opening = openings
    return Opening(index: index, number: openings)
  }

  private func makeRoom(for descriptor: Int32) -> Int? {
    guard let index = Int(exactly: descriptor), index >= 0 else { return nil }
    if index >= watches.count {
      watches.append(contentsOf: repeatElement(Watch(), count: index + 1 - watches.count))
    }
    return index
  }

  /// - Parameter isOver: True if the transfer that used the socket has received its response.
  func want(_ interest: EventPort.Interest, of descriptor: Int32, for kind: PoolKind, isOver: Bool) {
    guard let index = makeRoom(for: descriptor) else { return }
    // A socket with which libcurl's resolver notifies this thread.
    if !watches[index].isOwn, watches[index].wanted.isEmpty, !interest.isEmpty {
      EventPort.keepFromChildren(descriptor)
    }
    watches[index].wanted = interest
    watches[index].kind = kind
    // HTTP/2 connections are excluded: they are shared, and the server may send frames for the connection itself at any time.
    watches[index].isIdle = isOver && interest.isEmpty && kind == .exclusive && watches[index].isOwn
    guard !watches[index].isIdle else { return watchForInput(index) }
    if interest.contains(.read), watches[index].connectedAt == 0 { watches[index].connectedAt = monotonicNanoseconds() }
    let registered = watches[index].registered
    guard interest != registered, !(interest.isEmpty && watches[index].isOwn) else { return }
    watches[index].registered = interest
    port.watch(descriptor, for: interest, inPlaceOf: registered)
  }

  /// Returns the opened socket with the given descriptor; `nil` for a socket that libcurl opened itself.
  func opening(of descriptor: Int32) -> Opening? {
    guard watches.indices.contains(Int(descriptor)), watches[Int(descriptor)].isOwn else { return nil }
    return Opening(index: Int(descriptor), number: watches[Int(descriptor)].opening)
  }

  /// Called when the transfer ended after libcurl had stopped watching. Does nothing if the connection is used again or closed.
  func markIdle(_ opening: Opening) {
    guard watches.indices.contains(opening.index), watches[opening.index].opening == opening.number,
      watches[opening.index].wanted.isEmpty, watches[opening.index].kind == .exclusive
    else { return }
    watches[opening.index].isIdle = true
    watchForInput(opening.index)
  }

  /// Watches an idle connection for input only, because it would always be ready for output.
  private func watchForInput(_ index: Int) {
    let registered = watches[index].registered
    guard registered != .read else { return }
    watches[index].registered = .read
    port.watch(Int32(index), for: .read, inPlaceOf: registered)
  }

  /// Ends the connection if it is idle, because its server has sent unsolicited data or has closed it.
  ///
  /// The data would be taken for the response to the next request (RFC 9112 §9.2). Examples are a server that sends a response twice, and
  /// an unsolicited 408. Before it reuses a connection, libcurl checks whether it was closed but, up to 7.88, not whether there is input.
  ///
  /// - Parameter isHeldBack: Returns `true` if a paused transfer may use the socket. libcurl may never watch the socket of a transfer whose
  ///   reader was slow from the start.
  func endIfIdle(_ descriptor: Int32, unless isHeldBack: (Int32) -> Bool) {
    guard watches.indices.contains(Int(descriptor)), watches[Int(descriptor)].isIdle else { return }
    // The event may be outdated: a transfer that ended since then may have read the data.
    guard EventPort.hasInput(descriptor) else { return }
    watches[Int(descriptor)].isIdle = false
    if !isHeldBack(descriptor) { EventPort.endConnection(descriptor) }
  }

  func endIdleConnectionsWithInput(_ events: inout [EventPort.Event], unless isHeldBack: (Int32) -> Bool) {
    // Repeated often enough to see each socket, as ready sockets are reported in turn.
    for _ in 0...(watches.count / EventPort.capacity) {
      port.wait(milliseconds: 0, into: &events)
      for event in events { endIfIdle(event.descriptor, unless: isHeldBack) }
      // One event of a full batch may be the port's own wake-up, which is not in the list.
      guard events.count >= EventPort.capacity - 1 else { return }
    }
  }

  /// Ends the watch if no pool waits for events on the socket, unless the connection is idle.
  func noteEvent(on descriptor: Int32) -> PoolKind? {
    guard watches.indices.contains(Int(descriptor)) else { return nil }
    let watch = watches[Int(descriptor)]
    guard watch.wanted.isEmpty else { return watch.kind }
    // An idle connection remains watched, so that input on it ends it.
    if !watch.registered.isEmpty, !watch.isIdle {
      port.watch(descriptor, for: [], inPlaceOf: watch.registered)
      watches[Int(descriptor)].registered = []
    }
    return watch.kind
  }

  func connectedAt(_ opening: Opening) -> UInt64? {
    guard watches.indices.contains(opening.index) else { return nil }
    let watch = watches[opening.index]
    return watch.opening == opening.number && watch.connectedAt > 0 ? watch.connectedAt : nil
  }

  /// Removes a socket that is about to be closed. Closing it also ends the system's watch.
  func forget(_ descriptor: Int32) {
    guard watches.indices.contains(Int(descriptor)) else { return }
    watches[Int(descriptor)] = Watch()
  }
}

/// The connections of a session. One pool contains connections that carry one transfer at a time, another pool contains shared connections.
///
/// There are two pools because libcurl has a single limit per host, and a limit that suits HTTP/2 is too low for HTTP/1.1. A host that may
/// support HTTP/2 uses the second pool at first. If it does not support HTTP/2, it uses the first pool from then on.
struct ConnectionPools {
  private let exclusive: ConnectionPool
  private let multiplexed: ConnectionPool
  private let httpVersion: CurlSession.Configuration.HTTPVersion
  /// The origins that did not choose HTTP/2 when it was offered.
  private var http1Origins: Set<HTTP.Origin> = []

  init(configuration: CurlSession.Configuration, watches: SocketWatches) {
    httpVersion = configuration.httpVersion
    exclusive = ConnectionPool(kind: .exclusive, configuration: configuration, watches: watches)
    multiplexed = ConnectionPool(kind: .multiplexed, configuration: configuration, watches: watches)
  }

  subscript(kind: PoolKind) -> ConnectionPool { kind == .exclusive ? exclusive : multiplexed }

  func kind(for exchange: Exchange, _ url: String) -> PoolKind {
    switch httpVersion {
    case .http1: return .exclusive
    case .http2PriorKnowledge: return .multiplexed
    case .automatic:
      guard url.isSecureURL else { return .exclusive }
      // libcurl sends trailers over HTTP/1.1 only.
      if exchange.request.body.trailers != nil { return .exclusive }
      if exchange.mayBeHeldBack, !CurlLibrary.canPauseStreams { return .exclusive }
      guard !http1Origins.isEmpty, let origin = exchange.request.origin else { return .multiplexed }
      return http1Origins.contains(origin) ? .exclusive : .multiplexed
    }
  }

  /// Records that the transfer's host does not support HTTP/2. Returns `false` if this was already known.
  mutating func learn(from transfer: Transfer) -> Bool {
    guard httpVersion == .automatic, let origin = transfer.exchange.request.origin else { return false }
    // Bounds the set for sessions that connect to an unlimited number of hosts. Those hosts are then tried with HTTP/2 again.
    if http1Origins.count >= 10_000 { http1Origins.removeAll() }
    return http1Origins.insert(origin).inserted
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

  func nextDone() -> (EasyHandle, CURLcode)? {
    exclusive.nextDone() ?? multiplexed.nextDone()
  }

  func close() {
    exclusive.close()
    multiplexed.close()
  }
}
