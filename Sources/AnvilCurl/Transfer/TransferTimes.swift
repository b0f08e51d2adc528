internal import AnvilClient
internal import AnvilHTTP
internal import AnvilPlatform
internal import CCurl

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The times of a transfer's events, in nanoseconds of the loop's clock.
struct TransferTimes {
  /// The time when connecting began; `nil` while the transfer waits for a connection, and if it reused one.
  var connectingBegan: UInt64?
  /// The time when the connection was established, including TLS.
  var requestBegan: UInt64?
  /// The time when the last byte of the request's body was sent or, if the length is unknown, passed to libcurl.
  var requestEnded: UInt64?
  /// The number of bytes of a large body that libcurl has sent.
  var sentCount = 0
  /// The time when bytes were last received or sent, or when a paused transfer was resumed.
  var lastActivity: UInt64 = 0
  /// True if libcurl sent the request more than once, which is allowed if that is safe.
  var isRepeated = false
  /// True if libcurl was about to send the request again although that is not allowed.
  var isSentTwice = false
  var refusedAddress: IPAddress?
  /// The system's error if no socket could be created.
  var socketFailure: Int32?
  /// The state of the stream, if libcurl reports it.
  var stream = StreamLog()
  /// The error for libcurl's result.
  var endFailure: TransportError?

  private var refusedAddressReason: String? { refusedAddress.map { "the address \($0) is not allowed" } }

  /// The reason why no socket was opened for the transfer.
  var noSocketReason: String? { refusedAddressReason ?? socketFailure.map(SocketShortage.words) }

  /// The reason why one of the host's addresses was not tried, if it might have been reachable.
  var untriedReason: String? {
    refusedAddressReason ?? socketFailure.flatMap { SocketShortage.isShortage($0) ? SocketShortage.words($0) : nil }
  }
}

/// The progress of the transfer, and the time limit of each phase.
extension Transfer {
  /// The current phase of the transfer.
  var phase: TransportError.Phase {
    if hasHead { return .body }
    if times.requestBegan != nil { return isSending ? .send : .firstByte }
    guard times.connectingBegan != nil else { return .queue }
    guard handle?.connectedAt != nil else { return .connect }
    return isSecure ? .tls : .connect
  }

  /// True if no connection was found or started for the transfer.
  var isWaiting: Bool { handle != nil && !hasHead && times.requestBegan == nil && times.connectingBegan == nil }

  private var isSending: Bool { isSendingLarge && times.requestEnded == nil && upload.length != times.sentCount }

  func elapsed(_ now: UInt64) -> Duration { .nanoseconds(Int64(clamping: now &- startedAt)) }

  /// Returns the start and the limit of the phase; `nil` if it has no limit.
  private func limit(of phase: TransportError.Phase, _ limits: PhaseLimits) -> (began: UInt64, limit: UInt64)? {
    let began: UInt64?
    let limit: UInt64?
    switch phase {
    case .connect: (began, limit) = (times.connectingBegan, limits.connect)
    case .tls: (began, limit) = (handle?.connectedAt, limits.tls)
    case .send: (began, limit) = (isSendingPaused ? nil : times.lastActivity, limits.idle)
    case .firstByte: (began, limit) = (times.requestEnded ?? times.requestBegan, limits.firstByte)
    case .body: (began, limit) = (isReceivingPaused ? nil : times.lastActivity, limits.idle)
    default: return nil
    }
    guard let began, let limit else { return nil }
    return (began, limit)
  }

  /// Returns the time of the next check of the transfer; `nil` for no check.
  ///
  /// The start of a phase is not reported. Checking at intervals of the shortest limit misses none.
  func nextDeadline(at now: UInt64, _ limits: PhaseLimits) -> UInt64? {
    var next = end ?? .max
    if let shortest = limits.shortest {
      next = min(next, now &+ shortest)
      if let (began, limit) = limit(of: phase, limits) { next = min(next, began &+ limit) }
    }
    return next == .max ? nil : next
  }

  /// Returns the phase whose limit has been exceeded at `now`; `nil` if no limit has been exceeded.
  func expired(at now: UInt64, _ limits: PhaseLimits) -> TransportError.Phase? {
    let phase = phase
    if let end, end <= now { return phase }
    guard let (began, limit) = limit(of: phase, limits), began &+ limit <= now else { return nil }
    return phase
  }
}

/// The limits of the phases in nanoseconds; `nil` for no limit.
struct PhaseLimits {
  let connect: UInt64?
  let tls: UInt64?
  let firstByte: UInt64?
  let idle: UInt64?
  /// The shortest limit, at least a millisecond.
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

extension TransferMetrics {
  /// Creates the metrics of a transfer from libcurl's data.
  ///
  /// - Parameter hasBegun: True if there was a connection to send the request on.
  init(of handle: EasyHandle, total: Duration, sent: Int, hasBegun: Bool) {
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
      secured: isReused ? nil : time(CURLINFO_APPCONNECT_TIME_T), firstByte: time(CURLINFO_STARTTRANSFER_TIME_T),
      total: total, sentByteCount: max(sent, Int(clamping: handle.time(CURLINFO_SIZE_UPLOAD_T))),
      receivedByteCount: Int(clamping: handle.time(CURLINFO_SIZE_DOWNLOAD_T)), isConnectionReused: isReused,
      protocolName: version, remoteAddress: handle.text(CURLINFO_PRIMARY_IP))
  }
}
