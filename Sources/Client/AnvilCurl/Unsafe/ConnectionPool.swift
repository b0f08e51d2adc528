internal import AnvilClient
internal import CCurl

enum PoolKind: Hashable, Sendable {
  /// Each connection carries one transfer at a time, as in HTTP/1.1.
  case exclusive
  /// Each connection carries many concurrent transfers. For HTTP/2, and for hosts that may support it.
  case multiplexed
}

/// A multi handle with its connections and the transfers on them. Used only on the loop's thread.
///
/// libcurl reports through two callbacks which sockets it waits for and when it must be called next. libcurl calls them only while one of
/// its functions runs, and therefore on the same thread. The callbacks receive the address of this object, which stays valid until
/// ``close()``.
@safe
final class ConnectionPool {
  /// The time at which libcurl must be called at the latest; `.max` if no call is due.
  private(set) var timer = UInt64.max
  private let kind: PoolKind
  private let watches: SocketWatches
  private var multi: UnsafeMutableRawPointer?
  /// The first error of the multi handle. Later transfers are rejected with this error.
  private var failure: TransportError?

  init(kind: PoolKind, configuration: CurlSession.Configuration, watches: SocketWatches) {
    self.kind = kind
    self.watches = watches
    unsafe multi = curl_multi_init()
    // Safety: the handle was created here, and this object outlives it.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let limits = configuration.connections
    let total = max(8, limits.total)
    let isMultiplexed = kind == .multiplexed
    // Each request may need a connection of its own then.
    let isExclusive =
      !isMultiplexed || configuration.httpVersion == .http2PriorKnowledge && !CurlLibrary.reusesCleartextHTTP2
    unsafe setUp(context)
    set(CURLMOPT_MAXCONNECTS, max(1, limits.idle))
    set(CURLMOPT_MAX_HOST_CONNECTIONS, max(1, isExclusive ? limits.perHost : limits.perMultiplexedHost))
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
      let isOver = unsafe wish == CURL_POLL_REMOVE && EasyHandle.noteWatchEnd(easy, of: descriptor)
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

  func add(_ handle: EasyHandle) throws(TransportError) {
    // Safety: both handles are live, and the easy handle is not in a multi handle yet.
    if failure == nil { unsafe check(curl_multi_add_handle(multi, handle.easy)) }
    if let failure { throw failure }
  }

  /// Ends a transfer in any state. Must not be called from a libcurl callback.
  func remove(_ handle: EasyHandle) {
    // Safety: both handles are live.
    unsafe check(curl_multi_remove_handle(multi, handle.easy))
  }

  func serveTimer(_ now: UInt64) {
    guard timer <= now else { return }
    timer = .max
    serve(CURL_SOCKET_TIMEOUT, 0)
  }

  func serve(_ event: EventPort.Event) {
    var flags: Int32 = 0
    // libcurl detects an error by reading.
    if event.isReadable || event.isBroken { flags |= CURL_CSELECT_IN }
    if event.isWritable { flags |= CURL_CSELECT_OUT }
    serve(event.descriptor, flags)
  }

  private func serve(_ descriptor: Int32, _ flags: Int32) {
    var running: Int32 = 0
    // Safety: the handle is live. Callbacks use this object and the handles of transfers, which are alive.
    unsafe check(curl_multi_socket_action(multi, descriptor, flags, &running))
  }

  /// Returns the handle and the result of a completed transfer, or `nil` if no transfer has completed. Each transfer is returned once.
  func nextDone() -> (EasyHandle, CURLcode)? {
    var result = CURLE_OK
    var context: UnsafeMutableRawPointer?
    // Safety: the handle is live. The context is the object that `EasyHandle` set, which is kept alive during a transfer.
    guard unsafe anvil_curl_multi_next_done(multi, &result, &context) != nil, let context = unsafe context else {
      return nil
    }
    return unsafe (Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue(), result)
  }

  /// Closes all connections. There must be no transfers left, and the pool cannot be used afterwards.
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
