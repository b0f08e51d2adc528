internal import AnvilClient
internal import CCurl

/// Which pool a transfer's connection is of.
enum PoolKind: Hashable, Sendable {
  /// One transfer at a time on a connection: HTTP/1.1.
  case exclusive
  /// Many transfers at a time on a connection: HTTP/2, and hosts that may speak it.
  case multiplexed
}

/// A multi handle: connections, and the transfers that are under way on them. For the loop's thread only.
///
/// libcurl tells by two callbacks which sockets it waits for and when it wants to be called next. They are called while it is
/// being called, so on the same thread, and get this object's address, which stays valid until ``close()``.
@safe
final class ConnectionPool {
  /// When libcurl wants to be called, whatever happens; `.max` for not at all.
  private(set) var timer = UInt64.max
  private let kind: PoolKind
  private let watches: SocketWatches
  private var multi: UnsafeMutableRawPointer?
  /// The first thing that the multi handle refused, from when on it takes no transfers.
  private var failure: TransportError?

  init(kind: PoolKind, configuration: CurlSession.Configuration, watches: SocketWatches) {
    self.kind = kind
    self.watches = watches
    unsafe multi = curl_multi_init()
    // Safety: the handle was made here, and this object outlives it.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let limits = configuration.connections
    let total = max(8, limits.total)
    let isMultiplexed = kind == .multiplexed
    unsafe setUp(context)
    set(CURLMOPT_MAXCONNECTS, max(1, limits.idle))
    set(CURLMOPT_MAX_HOST_CONNECTIONS, max(1, isMultiplexed ? limits.perMultiplexedHost : limits.perHost))
    set(CURLMOPT_MAX_TOTAL_CONNECTIONS, isMultiplexed ? total / 4 : total - total / 4)
    set(CURLMOPT_PIPELINING, isMultiplexed ? Int(CURLPIPE_MULTIPLEX) : Int(CURLPIPE_NOTHING))
    if isMultiplexed { set(CURLMOPT_MAX_CONCURRENT_STREAMS, 256) }
  }

  private func set(_ option: CURLMoption, _ value: Int) {
    unsafe check(anvil_curl_multi_set_long(multi, option, value))
  }

  private func check(_ code: CURLMcode) {
    guard code != CURLM_OK, failure == nil else { return }
    // Safety: the text is libcurl's own and constant.
    failure = TransportError(code: .other, reason: unsafe String(cString: curl_multi_strerror(code)))
  }

  private func setUp(_ context: UnsafeMutableRawPointer) {
    unsafe check(anvil_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context))
    let socketFunction: anvil_curl_socket_function = { easy, descriptor, wish, context, _ in
      guard let context = unsafe context else { return 0 }
      let isOver = unsafe wish == CURL_POLL_REMOVE && EasyHandle.letsGo(easy, of: descriptor)
      // Safety: the context is the pool, which lives as long as its handle.
      unsafe Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue()
        .note(wish, of: descriptor, isOver: isOver)
      return 0
    }
    unsafe check(anvil_curl_multi_set_socket_function(multi, socketFunction))
    unsafe check(anvil_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context))
    let timerFunction: anvil_curl_timer_function = { _, milliseconds, context in
      guard let context = unsafe context else { return 0 }
      // Safety: as above.
      unsafe Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue().noteTimer(milliseconds)
      return 0
    }
    unsafe check(anvil_curl_multi_set_timer_function(multi, timerFunction))
  }

  private func note(_ wish: Int32, of descriptor: Int32, isOver: Bool) {
    let interest: EventPort.Interest =
      switch wish {
      case CURL_POLL_IN: .read
      case CURL_POLL_OUT: .write
      case CURL_POLL_INOUT: [.read, .write]
      default: []
      }
    watches.want(interest, of: descriptor, for: kind, isOver: isOver)
  }

  private func noteTimer(_ milliseconds: Int) {
    timer =
      milliseconds < 0 ? .max : milliseconds == 0 ? 0 : monotonicNanoseconds() &+ UInt64(milliseconds) &* 1_000_000
  }

  /// Begins a transfer.
  func add(_ handle: EasyHandle) throws(TransportError) {
    // Safety: both handles are live, and the easy one is of no multi handle yet.
    if failure == nil { unsafe check(curl_multi_add_handle(multi, handle.easy)) }
    if let failure { throw failure }
  }

  /// Ends a transfer, in whatever state it is. Never called from within libcurl.
  func remove(_ handle: EasyHandle) {
    // Safety: both handles are live.
    unsafe check(curl_multi_remove_handle(multi, handle.easy))
  }

  /// Lets libcurl do what is due at `now`.
  func serveTimer(_ now: UInt64) {
    guard timer <= now else { return }
    timer = .max
    serve(CURL_SOCKET_TIMEOUT, 0)
  }

  /// Lets libcurl read and write a socket.
  func serve(_ event: EventPort.Event) {
    var flags: Int32 = 0
    // An error is found by reading.
    if event.isReadable || event.isBroken { flags |= CURL_CSELECT_IN }
    if event.isWritable { flags |= CURL_CSELECT_OUT }
    serve(event.descriptor, flags)
  }

  private func serve(_ descriptor: Int32, _ flags: Int32) {
    var running: Int32 = 0
    // Safety: the handle is live; callbacks reach this object and transfers' handles, which are there.
    unsafe check(curl_multi_socket_action(multi, descriptor, flags, &running))
  }

  /// A transfer that has ended and how, once.
  func nextDone() -> (EasyHandle, CURLcode)? {
    var result = CURLE_OK
    var context: UnsafeMutableRawPointer?
    // Safety: the handle is live; the context is what `EasyHandle` set, an object that is kept while it has a transfer.
    guard unsafe anvil_curl_multi_next_done(multi, &result, &context) != nil, let context = unsafe context else {
      return nil
    }
    return unsafe (Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue(), result)
  }

  /// Closes all connections. There must be no transfers any more; nothing can be done with the pool from then on.
  func close() {
    guard unsafe multi != nil else { return }
    // Safety: every easy handle was removed, and the pointer is not used again.
    unsafe curl_multi_cleanup(multi)
    unsafe multi = nil
    timer = .max
  }

  deinit {
    close()
  }
}
