internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One exchange on the loop's thread: what libcurl's callbacks, the timers and the caller's side come together in.
///
/// Callbacks only note what came; the loop has it handed over when all that was ready has been served. Most responses are
/// there as a whole by then, and cost their caller one change of threads instead of two.
final class Transfer: DeadlineHolder {
  /// Up to this many bytes a request's body goes out with its head.
  static let smallBodySize = 64 << 10
  /// The maximum number of interim responses to one request.
  static let interimLimit = 100

  /// What a callback tells libcurl about bytes.
  enum Reception {
    case taken
    /// To be offered again when the transfer is resumed.
    case paused
    /// The transfer fails.
    case refused
  }

  let exchange: Exchange
  var kind: PoolKind
  let startedAt: UInt64
  /// `nil` when libcurl is done with the transfer.
  var handle: EasyHandle?
  let loop: LoopThread
  /// The request's URL as text.
  let url: String
  /// When its time is up; `nil` for no limit.
  let end: UInt64?
  var heapPlace: Int?
  /// Where among the loop's transfers it is; `nil` when it is none of them any more.
  var place: Int?
  var isDirty = false

  /// Why the transfer has to fail, found by us; the loop ends it.
  var failure: TransportError?
  var times = TransferTimes()
  var upload: UploadSource
  var uploadPosition = 0
  var sending: ProgressCounter?
  var isSendingPaused = false

  var reader = HeadReader()
  var headSize = 0
  var interimCount = 0
  /// Whether the head has come; ``head`` is the caller's afterwards.
  var hasHead = false
  var head: HTTP.Response?
  var writer: TransportBody.Writer?
  var buffer: BodyBuffer?
  /// How long the body will be, where that is known and nothing compresses it.
  var expectedLength: Int?
  /// How many bytes of it have been handed over.
  var yieldedCount = 0
  /// How many bytes of the body are still to come; `nil` where its end is found by other means.
  var missingCount: Int?
  /// Takes the body out of its chunks, if it is in chunks.
  var chunks: ChunkReader?
  var decoder: BodyDecoder?
  var isReceivingPaused = false
  /// Whether libcurl was told so, and has to be told when it may go on.
  var hasToldPause = false
  /// Whether nothing more is wanted.
  var isGivenUp = false
  /// How libcurl has ended the transfer while its reader was behind.
  var pendingEnd: CURLcode?
  private var metrics: TransferMetrics?

  init(_ exchange: Exchange, url: String, kind: PoolKind, on loop: LoopThread) {
    self.exchange = exchange
    self.url = url
    self.kind = kind
    self.loop = loop
    startedAt = loop.now
    end = exchange.options.timeout?.limitingNanoseconds.map { [startedAt] in startedAt &+ $0 }
    times.lastActivity = startedAt
    let body = exchange.request.body
    upload = UploadSource(body)
    switch upload {
    case .nothing: break
    case .bytes, .feed:
      sending = ProgressCounter(.sent, total: upload.length, handler: exchange.options.progressHandler)
    }
    if case .feed(let feed, _) = upload {
      feed.start(body) { [exchange] in exchange.tell(.feed(exchange)) }
    }
  }

  var isSecure: Bool { url.isSecureURL }

  /// Whether the response has come and neither direction is held back.
  var isSettled: Bool { hasHead && !hasToldPause && !isSendingPaused }

  /// Whether all that came has been handed over, after libcurl was done.
  var isDrained: Bool { handle == nil && pendingEnd == nil }
}

/// How it ends.
extension Transfer {
  /// libcurl has ended the transfer. Tells whether that is all: a reader that is behind gets the rest later.
  func complete(_ result: CURLcode) -> Bool {
    if result == CURLE_OK, failure == nil { decode() }
    if isReceivingPaused, decoder != nil, failure == nil {
      pendingEnd = result
      return false
    }
    finish(result)
    return true
  }

  /// Says how the exchange ended.
  func finish(_ result: CURLcode) {
    pendingEnd = nil
    let error = failure ?? failure(for: result)
    if error == nil, hasHead { tellTrailers() }
    guard error == nil, let head = head.take() else {
      flush()
      tellMetrics()
      return exchange.end(error)
    }
    tellMetrics()
    exchange.succeed(TransportResponse(head, body: takeBuffer() ?? Data()))
  }

  private func failure(for result: CURLcode) -> TransportError? {
    guard result == CURLE_OK else {
      return times.endFailure ?? TransportError(code: .other, reason: "libcurl result \(result.rawValue)")
    }
    guard hasHead else {
      // libcurl takes a connection that ends in the midst of the head for an empty body.
      return TransportError(
        code: .connectionLost, phase: .firstByte, reason: "the connection ended before the end of the head")
    }
    if let decoder, !decoder.isAtEnd {
      return TransportError(
        code: .truncatedResponse, phase: .body, reason: "the compressed body ends before its own end")
    }
    return nil
  }

  private func tellTrailers() {
    guard let handler = exchange.options.eventHandler, !reader.trailers.isEmpty else { return }
    handler(.trailers(reader.trailers))
  }

  /// Notes what only the handle knows, before it goes.
  func noteEnd(of handle: EasyHandle, _ result: CURLcode?) {
    if let result, result != CURLE_OK {
      times.endFailure = TransportError(
        result, text: handle.failureText, afterHead: hasHead, phase: phase, elapsed: elapsed(monotonicNanoseconds())
      )
      times.endFailure = better(than: result, handle) ?? times.endFailure
    }
    guard exchange.options.eventHandler != nil else { return }
    metrics = TransferMetrics(
      of: handle, total: elapsed(monotonicNanoseconds()), sent: uploadPosition, hasBegun: times.requestBegan != nil)
  }

  /// What is known of a failure beyond libcurl's result.
  private func better(than result: CURLcode, _ handle: EasyHandle) -> TransportError? {
    if times.stream.isRefused, !hasHead {
      // In a phase in which nothing has been sent, as it can be sent again without harm.
      return TransportError(
        code: .connectionLost, phase: .queue,
        reason: "the server refused the HTTP/2 stream and has not processed the request")
    }
    if times.isSentTwice {
      let cause =
        kind == .exclusive
        ? "the connection that was used again had been closed"
        : "the connection that was used again had been closed, or its server refused the stream"
      return TransportError(
        code: .connectionLost, phase: .firstByte, reason: "\(cause); the request may have been served")
    }
    if result == CURLE_COULDNT_CONNECT, handle.hasOpened {
      // Another of the host's addresses was tried in vain, which libcurl's words are about.
      return times.untriedReason.flatMap { times.endFailure?.adding("another address was not tried: \($0)") }
    }
    let reason = result == CURLE_COULDNT_CONNECT ? times.noSocketReason : SocketShortage.reason(for: result)
    guard let reason else { return nil }
    return TransportError(code: .noConnection, phase: .connect, reason: reason)
  }

  /// Tells the metrics, once.
  func tellMetrics() {
    guard let metrics else { return }
    self.metrics = nil
    exchange.options.eventHandler?(.finished(metrics))
  }

  func endUpload() {
    if case .feed(let feed, _) = upload { feed.cancel() }
  }
}

extension String {
  /// Whether the URL's scheme is `https`.
  var isSecureURL: Bool {
    let scheme = utf8.prefix(6)
    return scheme.count == 6 && zip(scheme, "https:".utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }
}
