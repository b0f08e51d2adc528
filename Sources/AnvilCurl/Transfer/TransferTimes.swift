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
  /// When the last of the request's body was handed over.
  var requestEnded: UInt64?
  /// When bytes last came or went, or could again.
  var lastActivity: UInt64 = 0
  /// Whether libcurl was about to send the request another time.
  var isSentTwice = false
  var refusedAddress: IPAddress?
  /// What libcurl's result comes to.
  var endFailure: TransportError?
}

/// How far the transfer has come, and how long it may take for that.
extension Transfer {
  /// What the transfer is waiting for.
  var phase: TransportError.Phase {
    if head != nil { return .body }
    if times.requestBegan != nil { return isSending ? .send : .firstByte }
    guard times.connectingBegan != nil else { return .queue }
    guard let handle, handle.time(CURLINFO_CONNECT_TIME_T) > 0 else { return .connect }
    return exchange.request.url.scheme?.lowercased() == "https" ? .tls : .connect
  }

  private var isSending: Bool {
    guard times.requestEnded == nil else { return false }
    switch upload {
    case .nothing: return false
    // What went with the head is not asked for.
    case .bytes(let data): return data.count > Self.smallBodySize && uploadPosition < data.count
    case .feed(_, let length): return length.map { uploadPosition < $0 } ?? true
    }
  }

  func elapsed(_ now: UInt64) -> Duration { .nanoseconds(Int64(clamping: now &- startedAt)) }

  /// When the transfer has to be looked at next; `nil` for never.
  func nextDeadline(_ timeouts: CurlSession.Configuration.Timeouts) -> UInt64? {
    let total = exchange.options.timeout.flatMap { startedAt.adding($0) }
    guard let phase = phaseDeadline(timeouts) else { return total }
    return total.map { min($0, phase) } ?? phase
  }

  private func phaseDeadline(_ timeouts: CurlSession.Configuration.Timeouts) -> UInt64? {
    switch phase {
    case .queue:
      // Nothing limits it, but it may be over before this is asked again.
      guard let shortest = [timeouts.connect, timeouts.tls, timeouts.firstByte, timeouts.idle].compactMap(\.self).min()
      else { return nil }
      return loop.now.adding(max(shortest, .milliseconds(1)))
    case .connect: return times.connectingBegan.flatMap { $0.adding(timeouts.connect) } ?? later(timeouts)
    case .tls:
      let connected = startedAt &+ UInt64(max(0, handle?.time(CURLINFO_CONNECT_TIME_T) ?? 0)) &* 1_000
      return connected.adding(timeouts.tls) ?? later(timeouts)
    case .send: return isSendingPaused ? later(timeouts) : times.lastActivity.adding(timeouts.idle) ?? later(timeouts)
    case .firstByte:
      return (times.requestEnded ?? times.requestBegan).flatMap { $0.adding(timeouts.firstByte) } ?? later(timeouts)
    case .body: return isReceivingPaused ? later(timeouts) : times.lastActivity.adding(timeouts.idle)
    @unknown default: return nil
    }
  }

  /// When to look whether a phase with a limit has begun.
  private func later(_ timeouts: CurlSession.Configuration.Timeouts) -> UInt64? {
    let shortest = [timeouts.tls, timeouts.firstByte, timeouts.idle].compactMap(\.self).min()
    return shortest.flatMap { loop.now.adding(max($0, .milliseconds(1))) }
  }

  /// In which phase the time is up at `now`, and after how long; `nil` when it is not.
  func expired(
    at now: UInt64, _ timeouts: CurlSession.Configuration.Timeouts
  ) -> (TransportError.Phase, Duration)? {
    if let timeout = exchange.options.timeout, let end = startedAt.adding(timeout), end <= now {
      return (phase, elapsed(now))
    }
    let phase = phase
    let began: UInt64?
    let limit: Duration?
    switch phase {
    case .connect: (began, limit) = (times.connectingBegan, timeouts.connect)
    case .tls:
      let connected = startedAt &+ UInt64(max(0, handle?.time(CURLINFO_CONNECT_TIME_T) ?? 0)) &* 1_000
      (began, limit) = (connected, timeouts.tls)
    case .send: (began, limit) = (isSendingPaused ? nil : times.lastActivity, timeouts.idle)
    case .firstByte: (began, limit) = (times.requestEnded ?? times.requestBegan, timeouts.firstByte)
    case .body: (began, limit) = (isReceivingPaused ? nil : times.lastActivity, timeouts.idle)
    default: return nil
    }
    guard let began, let limit, let end = began.adding(limit), end <= now else { return nil }
    return (phase, elapsed(now))
  }
}

extension UInt64 {
  /// The time that `duration` later is; `nil` for no limit, and for one of more than thirty years, which is none.
  fileprivate func adding(_ duration: Duration?) -> UInt64? {
    guard let duration, duration < .seconds(1_000_000_000) else { return nil }
    let (seconds, attoseconds) = Swift.max(duration, .zero).components
    let nanoseconds = UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
    return self &+ nanoseconds
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
