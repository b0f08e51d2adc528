internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

/// A transfer on the loop's thread. It connects libcurl's callbacks and the loop's timers with the exchange of the caller.
///
/// Callbacks buffer data, and deliver it only if the buffer is full. The loop delivers the rest after all ready events were served. Most
/// responses are complete by then, so that their caller needs one thread switch instead of two.
final class Transfer: DeadlineHolder {
  /// The maximum size of a request body that is sent together with its head.
  static let smallBodySize = 64 << 10
  static let interimLimit = 100

  enum WriteResult {
    case taken
    /// libcurl keeps the bytes and passes them again when the transfer is resumed.
    case paused
    case refused
  }

  let exchange: Exchange
  let startedAt: UInt64
  let loop: LoopThread
  let url: String
  /// The time when the total timeout expires; `nil` for no limit.
  let end: UInt64?
  let upload: UploadSource
  var sending: ProgressCounter?

  var kind: PoolKind
  /// The handle; `nil` after libcurl has finished the transfer.
  var handle: EasyHandle?
  /// An error that was detected on this side. The loop ends the transfer with it.
  var failure: TransportError?
  var notes = TransferNotes()
  var attempt = TransferAttempt()
  var body = IncomingBody()
  var delivery = Delivery.awaitingHead
  var inflow = Inflow.open

  // What the loop notes about its transfers.
  var heapIndex: Int?
  /// The index in the loop's array of transfers; `nil` before the transfer is added and after it is removed.
  var place: Int?
  var isDirty = false
  var isNotingStreams = false

  init(_ exchange: Exchange, url: String, kind: PoolKind, on loop: LoopThread) {
    self.exchange = exchange
    self.url = url
    self.kind = kind
    self.loop = loop
    startedAt = loop.now
    end = exchange.options.timeout?.limitingNanoseconds.map { [startedAt] in startedAt &+ $0 }
    notes.lastActivity = startedAt
    upload = exchange.upload
    switch upload {
    case .nothing: break
    case .bytes, .feed:
      sending = ProgressCounter(.sent, total: upload.length, handler: exchange.options.progressHandler)
    }
    // A file is read ahead while the connection is made.
    if exchange.request.body.isReplayable { startFeed() }
  }

  /// Starts to read the request's body, unless it is in memory or this was done.
  ///
  /// A stream is read only when there is a connection. It could otherwise not be sent again after a failure to connect.
  func startFeed() {
    guard case .feed(let feed, _) = upload else { return }
    feed.start(exchange.request.body) { [exchange] in exchange.post(.feed(exchange)) }
  }

  var isSecure: Bool { url.isSecureURL }

  var hasHead: Bool {
    if case .awaitingHead = delivery { false } else { true }
  }

  var isSettled: Bool { hasHead && !inflow.isLibcurlPaused && !attempt.isSendingPaused }

  var isDrained: Bool { handle == nil && !inflow.isDraining }
}

extension Transfer {
  /// Handles the end of the transfer in libcurl. Returns `false` if a slow reader receives the rest of the body later.
  func complete(_ result: CURLcode) -> Bool {
    if result == CURLE_OK, failure == nil { decode() }
    if !inflow.isOpen, body.decoder != nil, failure == nil {
      inflow = .draining(result)
      return false
    }
    finish(result)
    return true
  }

  func finish(_ result: CURLcode) {
    if inflow.isDraining { inflow = .open }
    let error = failure ?? failure(for: result)
    if error == nil, hasHead { reportTrailers() }
    guard error == nil, case .holding(let head) = delivery else {
      flush()
      reportMetrics()
      return exchange.end(error)
    }
    delivery = .whole
    reportMetrics()
    exchange.succeed(TransportResponse(head, body: takeBuffer() ?? Data()))
  }

  private func failure(for result: CURLcode) -> TransportError? {
    guard result == CURLE_OK else {
      return attempt.endFailure ?? TransportError(code: .other, reason: "libcurl result \(result.rawValue)")
    }
    guard hasHead else {
      // libcurl takes a connection that ends within the head for an empty body.
      return TransportError(
        code: .connectionLost, phase: .firstByte, reason: "the connection ended before the end of the head")
    }
    if let decoder = body.decoder, !decoder.isAtEnd {
      return TransportError(
        code: .truncatedResponse, phase: .body, reason: "the compressed body is truncated")
    }
    return nil
  }

  private func reportTrailers() {
    guard let handler = exchange.options.eventHandler, !attempt.reader.trailers.isEmpty else { return }
    handler(.trailers(attempt.reader.trailers))
  }

  /// Returns the result of the response if libcurl ended the transfer with `result` because it was not allowed to send the request again.
  func resultOfResponse(_ result: CURLcode) -> CURLcode {
    // libcurl has left out the body of a response that it did not want.
    notes.isAnsweredBefore && result == CURLE_ABORTED_BY_CALLBACK ? CURLE_OK : result
  }

  func noteEnd(of handle: EasyHandle, _ result: CURLcode?) {
    if let result, result != CURLE_OK {
      attempt.endFailure = TransportError(
        result, text: handle.failureText, afterHead: hasHead, phase: phase, elapsed: elapsed(monotonicNanoseconds())
      )
      attempt.endFailure = morePreciseError(than: result, handle) ?? attempt.endFailure
    }
    reportSmallBody(sentBy: handle)
    guard exchange.options.eventHandler != nil else { return }
    attempt.metrics = TransferEvent.Metrics(
      of: handle, firstByte: attempt.responseBegan.map(elapsed), total: elapsed(monotonicNanoseconds()),
      sent: sentCount(by: handle), hasBegun: attempt.requestBegan != nil)
  }

  private func morePreciseError(than result: CURLcode, _ handle: EasyHandle) -> TransportError? {
    if result == CURLE_OUT_OF_MEMORY, !hasHead, let error = exchange.request.headSizeError { return error }
    if result == CURLE_COULDNT_RESOLVE_PROXY, let error = handle.environmentProxy?.error { return error }
    if attempt.stream.isRefused, !hasHead {
      // Reported in a phase in which nothing was sent, because the request can safely be sent again.
      return TransportError(
        code: .connectionLost, phase: .queue,
        reason: "the server refused the HTTP/2 stream and has not processed the request")
    }
    if notes.isSentTwice {
      let cause =
        kind == .exclusive
        ? "the reused connection had been closed"
        : "the reused connection had been closed, or its server refused the stream"
      return TransportError(
        code: .connectionLost, phase: .firstByte, reason: "\(cause); the server may have processed the request")
    }
    if result == CURLE_COULDNT_CONNECT, let path = loop.configuration.unixSocketPath {
      // libcurl's description is about the host of the URL.
      return TransportError(
        code: .noConnection, phase: .connect, reason: "the Unix socket \(path.printable) could not be connected")
    }
    if result == CURLE_COULDNT_CONNECT, handle.hasOpened {
      // Another address of the host failed before, and libcurl's description is about that address.
      return notes.untriedReason.flatMap { attempt.endFailure?.adding("another address was not tried: \($0)") }
    }
    let reason = result == CURLE_COULDNT_CONNECT ? notes.noSocketReason : SocketShortage.reason(for: result)
    guard let reason else { return nil }
    return TransportError(
      code: .noConnection, phase: .connect, reason: reason,
      underlyingError: result == CURLE_COULDNT_CONNECT ? notes.refusal : nil)
  }

  /// Reports the metrics once.
  func reportMetrics() {
    guard let metrics = attempt.metrics.take() else { return }
    exchange.options.eventHandler?(.finished(metrics))
  }

  func endUpload() {
    if case .feed(let feed, _) = upload { feed.cancel() }
  }
}

extension String {
  var isSecureURL: Bool {
    let scheme = utf8.prefix(6)
    return scheme.count == 6 && zip(scheme, "https:".utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }
}

/// The response on its way to the caller.
enum Delivery {
  case awaitingHead
  /// The head was received. It waits for the end of the body, or for more of the body than a buffer holds.
  case holding(HTTP.Response)
  /// The caller has the head, and the body is written to its stream.
  case streaming(TransportBody.Writer)
  case whole
}

/// The treatment of the bytes of the body that arrive.
enum Inflow {
  case open
  /// The reader cannot take more. libcurl has not been told, because it had nothing more to pass on.
  case readerFull
  /// The reader cannot take more, and libcurl holds bytes back. It must be resumed explicitly.
  case libcurlPaused
  /// libcurl has ended with this result, and decoded data is still to be delivered to a slow reader.
  case draining(CURLcode)
  /// The transfer is being given up, so that further bytes are refused.
  case refusing

  var isOpen: Bool { if case .open = self { true } else { false } }
  var isLibcurlPaused: Bool { if case .libcurlPaused = self { true } else { false } }
  var isDraining: Bool { if case .draining = self { true } else { false } }
}

struct IncomingBody: ~Copyable {
  enum Framing {
    case endOfConnection
    case length(left: Int)
    case chunked(ChunkReader)
  }

  var framing = Framing.endOfConnection
  /// The length; `nil` if it is unknown or the body is compressed.
  var expectedLength: Int?
  var buffer: BodyBuffer?
  var decoder: BodyDecoder?
  var deliveredCount = 0

  /// True if the last byte was received. If only the end of the connection marks the end of the body, it is false until libcurl reports the end.
  var isWhole: Bool {
    switch framing {
    case .endOfConnection: false
    case .length(let left): left == 0
    case .chunked(let chunks): chunks.isOver
    }
  }
}

enum UploadSource: Sendable {
  case nothing
  case bytes(Data)
  /// A file, a form or a stream. The length is `nil` if it is unknown.
  case feed(UploadFeed, length: Int?)

  init(_ body: HTTP.Body) {
    if let data = body.data {
      self = data.isEmpty ? .nothing : .bytes(data)
    } else {
      self = .feed(UploadFeed(), length: body.length)
    }
  }

  var length: Int? {
    switch self {
    case .nothing: 0
    case .bytes(let data): data.count
    case .feed(_, let length): length
    }
  }
}
