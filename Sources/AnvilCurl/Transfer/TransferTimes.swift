internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// When what happened to a transfer, in nanoseconds of the loop's clock.
struct TransferTimes {
  /// When a connection began to be made; `nil` while the transfer waits for one, and when it got one that was there.
  var connectingBegan: UInt64?
  /// When the connection was there and secure.
  var requestBegan: UInt64?
  /// When the last of the request's body was sent; of one of unknown length, handed over.
  var requestEnded: UInt64?
  /// How many bytes of a large body libcurl has sent.
  var sentCount = 0
  /// When bytes last came or went, or could again.
  var lastActivity: UInt64 = 0
  /// Whether libcurl has sent the request more than once, as it may when that is safe.
  var isRepeated = false
  /// Whether libcurl was about to send the request another time, and may not.
  var isSentTwice = false
  var refusedAddress: IPAddress?
  /// Why the system gave no socket.
  var socketFailure: Int32?
  /// What is known of the stream, if libcurl tells.
  var stream = StreamNotes()
  /// What libcurl's result comes to.
  var endFailure: TransportError?

  private var refusedAddressReason: String? { refusedAddress.map { "the address \($0) is not allowed" } }

  /// Why no socket was opened for the transfer.
  var noSocketReason: String? { refusedAddressReason ?? socketFailure.map(SocketShortage.words) }

  /// Why one of the host's addresses was not tried, where it might have been reached.
  var untriedReason: String? {
    refusedAddressReason ?? socketFailure.flatMap { SocketShortage.isShortage($0) ? SocketShortage.words($0) : nil }
  }
}

/// How far the transfer has come, and how long it may take for that.
extension Transfer {
  /// What the transfer is waiting for.
  var phase: TransportError.Phase {
    if hasHead { return .body }
    if times.requestBegan != nil { return isSending ? .send : .firstByte }
    guard times.connectingBegan != nil else { return .queue }
    guard handle?.connectedAt != nil else { return .connect }
    return isSecure ? .tls : .connect
  }

  /// Whether no connection has been found or begun for it.
  var isWaiting: Bool { handle != nil && !hasHead && times.requestBegan == nil && times.connectingBegan == nil }

  private var isSending: Bool { isSendingLarge && times.requestEnded == nil && upload.length != times.sentCount }

  func elapsed(_ now: UInt64) -> Duration { .nanoseconds(Int64(clamping: now &- startedAt)) }

  /// When what the transfer waits for began, and how long it may take; `nil` where nothing limits it.
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

  /// When the transfer has to be looked at next; `nil` for never.
  ///
  /// Nothing tells when a phase begins. Looked at as often as the shortest limit is long, none is missed.
  func nextDeadline(at now: UInt64, _ limits: PhaseLimits) -> UInt64? {
    var next = end ?? .max
    if let shortest = limits.shortest {
      next = min(next, now &+ shortest)
      if let (began, limit) = limit(of: phase, limits) { next = min(next, began &+ limit) }
    }
    return next == .max ? nil : next
  }

  /// In which phase the time is up at `now`; `nil` when it is not.
  func expired(at now: UInt64, _ limits: PhaseLimits) -> TransportError.Phase? {
    let phase = phase
    if let end, end <= now { return phase }
    guard let (began, limit) = limit(of: phase, limits), began &+ limit <= now else { return nil }
    return phase
  }
}

/// How long phases may take, in nanoseconds; `nil` for no limit.
struct PhaseLimits {
  let connect: UInt64?
  let tls: UInt64?
  let firstByte: UInt64?
  let idle: UInt64?
  /// The shortest of them, at least a millisecond.
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
  /// The duration as a limit, none below zero; `nil` for one of more than thirty years, which is none.
  var limitingNanoseconds: UInt64? {
    guard self < .seconds(1_000_000_000) else { return nil }
    let (seconds, attoseconds) = max(self, .zero).components
    return UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
  }
}

extension TransferMetrics {
  /// What libcurl knows of a transfer.
  ///
  /// - Parameter hasBegun: whether there was a connection to send the request on.
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
