internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

/// One attempt of a transfer to send the request and to receive the head of its response. Times are in nanoseconds of the loop's clock.
struct TransferAttempt {
  /// The maximum number of times that a request is sent. It is that of libcurl.
  static let limit = 6

  /// Sent again only before the response head, on shared connections, if safe or certainly not processed by the server.
  var number = 0
  /// The time when connecting began, or when the request began on a reused connection. `nil` while the transfer waits for a connection.
  var connectingBegan: UInt64?
  /// The time when the request was about to be sent. A new connection has been established then, including TLS.
  var requestBegan: UInt64?
  /// The time when the last byte of the request's body was sent or, if the length is unknown, passed to libcurl.
  var requestEnded: UInt64?
  /// The number of bytes of the request's body that were passed to libcurl.
  var uploadPosition = 0
  /// The number of bytes of a large body that libcurl has sent.
  var sentCount = 0
  var isSendingPaused = false

  /// The time when the first line of the response's head was received; `nil` before. Interim responses do not count.
  var responseBegan: UInt64?
  var reader = HeadReader()
  var headSize = 0
  var interimCount = 0

  var stream = StreamLog()
  /// The error with which libcurl ended the transfer.
  var endFailure: TransportError?
  var metrics: TransferEvent.Metrics?
}

/// Notes about a transfer, in all of its attempts. Times are in nanoseconds of the loop's clock.
struct TransferNotes {
  /// The time when bytes were last received or sent, or when a paused transfer was resumed.
  var lastActivity: UInt64 = 0
  /// True if libcurl tried to send the request again although this is not allowed.
  var isSentTwice = false
  /// True if libcurl tried to send the request again after its response.
  var isAnsweredBefore = false
  var refusedAddress: IPAddress?
  /// The system's error if no socket could be created.
  var socketFailure: Int32?
  /// The time at which libcurl is made to look for input of the stream that it has not noticed, and the time until the next search after that.
  /// `nil` if libcurl notices all input.
  var inputSearch: (time: UInt64, pause: UInt64)?

  private var refusedAddressReason: String? { refusedAddress.map { "the address \($0) is not allowed" } }

  var noSocketReason: String? { refusedAddressReason ?? socketFailure.map(SocketShortage.words) }

  /// Set if the host has only addresses that are not allowed, so that another attempt would not help.
  var refusal: ConnectionRefusal? { socketFailure == nil ? refusedAddressReason.map { ConnectionRefusal($0) } : nil }

  /// The reason why one of the host's addresses was not tried, although it might have been reachable. `nil` if there was no such address.
  var untriedReason: String? {
    refusedAddressReason ?? socketFailure.flatMap { SocketShortage.isShortage($0) ? SocketShortage.words($0) : nil }
  }
}

/// The progress of the transfer, and the time limit of each phase.
extension Transfer {
  var phase: TransportError.Phase {
    if hasHead { return .body }
    if attempt.requestBegan != nil { return isSending ? .send : .firstByte }
    guard attempt.connectingBegan != nil else { return .queue }
    guard handle?.connectedAt != nil else { return .connect }
    return isSecure ? .tls : .connect
  }

  /// True if the transfer waits for a connection: it has not reused one, and no new one is being made for it.
  var isWaiting: Bool { handle != nil && !hasHead && attempt.requestBegan == nil && attempt.connectingBegan == nil }

  private var isSending: Bool { isSendingLarge && attempt.requestEnded == nil && upload.length != attempt.sentCount }

  func elapsed(_ now: UInt64) -> Duration { .nanoseconds(Int64(clamping: now &- startedAt)) }

  /// Returns the time when the limit of the phase began and the limit itself. Returns `nil` if the phase has no limit at present.
  private func limit(of phase: TransportError.Phase, _ limits: PhaseLimits) -> (began: UInt64, limit: UInt64)? {
    let began: UInt64?
    let limit: UInt64?
    switch phase {
    case .connect: (began, limit) = (attempt.connectingBegan, limits.connect)
    case .tls: (began, limit) = (handle?.connectedAt, limits.tls)
    case .send: (began, limit) = (attempt.isSendingPaused ? nil : notes.lastActivity, limits.idle)
    case .firstByte: (began, limit) = (attempt.requestEnded ?? attempt.requestBegan, limits.firstByte)
    case .body: (began, limit) = (inflow.isOpen && !exchange.hasIdleTimeout ? notes.lastActivity : nil, limits.idle)
    default: return nil
    }
    guard let began, let limit else { return nil }
    return (began, limit)
  }

  /// The end of the attempt; `nil` without a limit, and after the head of a streamed response.
  private var attemptEnd: UInt64? { hasHead && exchange.isStreamed ? nil : end }

  /// The loop is not notified when a phase starts. Therefore the limits are also checked at intervals of the shortest limit.
  func nextDeadline(at now: UInt64, _ limits: PhaseLimits) -> UInt64? {
    var next = min(attemptEnd ?? .max, notes.inputSearch?.time ?? .max)
    if let shortest = limits.shortest {
      next = min(next, now &+ shortest)
      if let (began, limit) = limit(of: phase, limits) { next = min(next, began &+ limit) }
    }
    return next == .max ? nil : next
  }

  func expired(at now: UInt64, _ limits: PhaseLimits) -> TransportError.Phase? {
    let phase = phase
    if let end = attemptEnd, end <= now { return phase }
    guard let (began, limit) = limit(of: phase, limits), began &+ limit <= now else { return nil }
    return phase
  }
}

/// The input of an HTTP/2 stream that libcurl has received and not passed on.
///
/// libcurl 7.88.1 was observed to wait for more input in two cases: the server has ended its stream before the request's body was sent; and,
/// seldom and under load, the last bytes of a body of 1 MB are left in its buffer.
extension Transfer {
  private static let shortestSearchPause: UInt64 = 10_000_000
  private static let longestSearchPause: UInt64 = 200_000_000

  /// Called when the head of an HTTP/2 response is received. Returns whether libcurl may leave input unnoticed.
  func beginInputSearch() -> Bool {
    guard !CurlLibrary.noticesAllInput else { return false }
    notes.inputSearch = (loop.now &+ Self.shortestSearchPause, Self.shortestSearchPause)
    return true
  }

  /// Does nothing before this is due or if something was received since the last time. Must not be called from a callback.
  func searchInput(at now: UInt64) {
    guard let search = notes.inputSearch, search.time <= now else { return }
    let pause = min(search.pause * 2, Self.longestSearchPause)
    notes.inputSearch = (now &+ pause, pause)
    let isIdle = notes.lastActivity &+ search.pause <= now
    guard isIdle, inflow.isOpen, failure == nil, let handle else { return }
    // Resuming makes libcurl read and write without waiting for the socket. It does nothing unless the transfer was paused.
    for receiving in [true, false] { check(handle.pause(receiving: receiving, sending: attempt.isSendingPaused)) }
  }
}

/// The limits of the phases in nanoseconds. A phase with the value `nil` has no limit.
struct PhaseLimits {
  let connect: UInt64?
  let tls: UInt64?
  let firstByte: UInt64?
  let idle: UInt64?
  /// The shortest limit, but at least one millisecond; `nil` if there are no limits.
  let shortest: UInt64?

  init(_ timeouts: CurlSession.Configuration.Timeouts) {
    connect = timeouts.connect?.limitingNanoseconds
    tls = timeouts.tls?.limitingNanoseconds
    firstByte = timeouts.firstByte?.limitingNanoseconds
    idle = timeouts.idle?.limitingNanoseconds
    shortest = [connect, tls, firstByte, idle].compactMap(\.self).min().map { max($0, 1_000_000) }
  }
}

extension Duration {
  /// The duration as a time limit in nanoseconds; `nil` for no limit.
  var limitingNanoseconds: UInt64? {
    guard let (seconds, attoseconds) = asLimit?.components else { return nil }
    return UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
  }
}

extension TransferEvent.Metrics {
  /// libcurl's time of the first byte is also set when it begins to send a body, and when a connection ends without a response. Its number of
  /// sent bytes includes the sizes of chunks.
  ///
  /// - Parameter hasBegun: True if the transfer had a connection and the request was about to be sent.
  init(of handle: EasyHandle, firstByte: Duration?, total: Duration, sent: Int, hasBegun: Bool) {
    func time(_ info: CURLINFO) -> Duration? {
      let microseconds = handle.time(info)
      return microseconds > 0 ? .microseconds(microseconds) : nil
    }
    let isReused = hasBegun && handle.number(CURLINFO_NUM_CONNECTS) == 0
    let version: String? =
      switch Int32(truncatingIfNeeded: handle.number(CURLINFO_HTTP_VERSION)) {
      case Int32(CURL_HTTP_VERSION_1_0): "http/1.0"
      case Int32(CURL_HTTP_VERSION_1_1): "http/1.1"
      case Int32(CURL_HTTP_VERSION_2_0): "h2"
      default: nil
      }
    self.init(
      nameResolved: isReused ? nil : time(CURLINFO_NAMELOOKUP_TIME_T),
      connected: isReused ? nil : time(CURLINFO_CONNECT_TIME_T),
      secured: isReused ? nil : time(CURLINFO_APPCONNECT_TIME_T), firstByte: firstByte,
      total: total, sentByteCount: sent,
      receivedByteCount: Int(clamping: handle.time(CURLINFO_SIZE_DOWNLOAD_T)), isConnectionReused: isReused,
      protocolName: version, remoteAddress: handle.text(CURLINFO_PRIMARY_IP))
  }
}
