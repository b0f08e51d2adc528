/// Which sockets are watched for what, and for which pool.
///
/// libcurl loses interest in a socket after each request and takes it up again with the next. The first is only noted, as a
/// system call less: 17 → 15 µs of processor time a request at 64 at once. Should something come on such a socket, the watch
/// is ended then.
final class SocketWatches {
  private struct Watch {
    var registered: EventPort.Interest = []
    var wanted: EventPort.Interest = []
    var kind = PoolKind.exclusive
    /// Whether we opened the socket and hear of its end. libcurl has others, to be told that a name was resolved.
    var isOwn = false
    /// Whether a connection for one transfer at a time that waits for its next one: nothing is to come from the server.
    var isIdle = false
    /// Which of the sockets that were opened it is, counted from 1; 0 for none.
    var opening: UInt64 = 0
    /// When libcurl first waited to read from it, for which it has to be connected; 0 before.
    var connectedAt: UInt64 = 0
  }

  private let port: EventPort
  private var openings: UInt64 = 0
  /// By descriptor: they are small numbers.
  private var watches: [Watch] = []

  init(port: EventPort) {
    self.port = port
  }

  /// A socket, told from others that had its number before or will have it.
  struct Opening {
    fileprivate let index: Int
    var descriptor: Int32 { Int32(index) }
    fileprivate let number: UInt64
  }

  /// A socket was opened.
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

  /// Has the socket watched for `interest` for the pool of `kind`.
  ///
  /// - Parameter isOver: whether the transfer that used the socket has had its response.
  func want(_ interest: EventPort.Interest, of descriptor: Int32, for kind: PoolKind, isOver: Bool) {
    guard let index = makeRoom(for: descriptor) else { return }
    watches[index].wanted = interest
    watches[index].kind = kind
    // Many share a connection of HTTP/2, whose server may send frames of the connection itself at any time.
    watches[index].isIdle = isOver && interest.isEmpty && kind == .exclusive && watches[index].isOwn
    guard !watches[index].isIdle else { return watchForInput(index) }
    if interest.contains(.read), watches[index].connectedAt == 0 { watches[index].connectedAt = monotonicNanoseconds() }
    let registered = watches[index].registered
    guard interest != registered, !(interest.isEmpty && watches[index].isOwn) else { return }
    watches[index].registered = interest
    port.watch(descriptor, for: interest, inPlaceOf: registered)
  }

  /// Returns the socket that has the number `descriptor`; `nil` for one of libcurl's.
  func opening(of descriptor: Int32) -> Opening? {
    guard watches.indices.contains(Int(descriptor)), watches[Int(descriptor)].isOwn else { return nil }
    return Opening(index: Int(descriptor), number: watches[Int(descriptor)].opening)
  }

  /// Marks a connection as idle whose transfer has ended after libcurl had let go of the socket, unless another transfer has
  /// taken it up or it was closed.
  func markIdle(_ opening: Opening) {
    guard watches.indices.contains(opening.index), watches[opening.index].opening == opening.number,
      watches[opening.index].wanted.isEmpty, watches[opening.index].kind == .exclusive
    else { return }
    watches[opening.index].isIdle = true
    watchForInput(opening.index)
  }

  /// Has an idle connection watched for what comes on it, and for nothing else: it can be written to at any time.
  private func watchForInput(_ index: Int) {
    let registered = watches[index].registered
    guard registered != .read else { return }
    watches[index].registered = .read
    port.watch(Int32(index), for: .read, inPlaceOf: registered)
  }

  /// Ends the connection if it is idle: its server has sent what nobody asked for, or has ended it.
  ///
  /// The bytes would be taken for the response to the next request (RFC 9112 §9.2): that of a server that sends twice, or an
  /// unasked 408. libcurl looks whether a connection has ended before it uses it again, and up to 7.88 not whether there is input.
  ///
  /// - Parameter isHeldBack: whether a transfer may be on it that libcurl has never waited for, because its reader was slow at once.
  func endIfIdle(_ descriptor: Int32, unless isHeldBack: (Int32) -> Bool) {
    guard watches.indices.contains(Int(descriptor)), watches[Int(descriptor)].isIdle else { return }
    // The event may be older than the end of the transfer that has read what it is about.
    guard EventPort.hasInput(descriptor) else { return }
    watches[Int(descriptor)].isIdle = false
    if !isHeldBack(descriptor) { EventPort.endConnection(descriptor) }
  }

  /// Ends the idle connections on which something has come that has not been looked at yet.
  func endSpoilt(_ events: inout [EventPort.Event], unless isHeldBack: (Int32) -> Bool) {
    // As many rounds as it may take to see each socket: those that are ready come by turns.
    for _ in 0...(watches.count / EventPort.capacity) {
      port.wait(milliseconds: 0, into: &events)
      for event in events { endIfIdle(event.descriptor, unless: isHeldBack) }
      // One of a full batch may be the port's own alarm, which is not among the events.
      guard events.count >= EventPort.capacity - 1 else { return }
    }
  }

  /// For which pool the socket is that something has come on; it is not watched on where nobody wants that.
  func noteEvent(on descriptor: Int32) -> PoolKind? {
    guard watches.indices.contains(Int(descriptor)) else { return nil }
    let watch = watches[Int(descriptor)]
    guard watch.wanted.isEmpty else { return watch.kind }
    // An idle connection stays watched: what comes on it ends it.
    if !watch.registered.isEmpty, !watch.isIdle {
      port.watch(descriptor, for: [], inPlaceOf: watch.registered)
      watches[Int(descriptor)].registered = []
    }
    return watch.kind
  }

  /// When the socket was connected; `nil` before.
  func connectedAt(_ opening: Opening) -> UInt64? {
    guard watches.indices.contains(opening.index) else { return nil }
    let watch = watches[opening.index]
    return watch.opening == opening.number && watch.connectedAt > 0 ? watch.connectedAt : nil
  }

  /// The socket is about to be closed, which ends the system's watch, too.
  func forget(_ descriptor: Int32) {
    guard watches.indices.contains(Int(descriptor)) else { return }
    watches[Int(descriptor)] = Watch()
  }
}
