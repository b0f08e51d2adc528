internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

/// The request, as read by libcurl's callbacks.
extension Transfer {
  /// Records that the request is about to be sent on `connection`. Returns `false` if libcurl sent it before, on a connection that turned
  /// out to be closed. The session must not decide to send a request twice.
  ///
  /// Safe requests on shared connections may be sent again. A server that closes such a connection refuses the streams that it has not
  /// processed (RFC 9113 §6.8), and libcurl does not distinguish this from a broken connection. Other requests are sent again only if the
  /// log proves that the server has not processed them.
  func beginRequest(on connection: StreamLog.Connection?) -> Bool {
    guard attempt.requestBegan == nil || mayBeSentAgain else {
      // After a 417, libcurl sends a request with `Expect` again without this field. The response is the result.
      if hasHead { notes.isAnsweredBefore = true } else { notes.isSentTwice = true }
      return false
    }
    if attempt.requestBegan != nil { forgetSending() }
    attempt.number += 1
    attempt.stream.begin(on: connection)
    // libcurl itself sends the other safe requests again that a server has certainly not processed.
    if kind == .multiplexed, handle?.isOnNewConnection == true { loop.noteStreams(of: self) }
    noteConnecting()
    attempt.requestBegan = loop.now
    startFeed()
    return true
  }

  private var mayBeSentAgain: Bool {
    kind == .multiplexed && !hasHead && attempt.number < TransferAttempt.limit
      && (isSafe || attempt.stream.isAfterLastStream && isBodyWhole)
  }

  /// Prepares the transfer, which libcurl has ended, for another attempt. Returns `false` if the request must not be sent again.
  func beginAgain() -> Bool {
    // If libcurl has begun another attempt, the proof is not about that attempt.
    guard attempt.stream.isAfterLastStream, !attempt.stream.isOver, isBodyWhole, mayBeSentAgain, failure == nil,
      !exchange.isOver
    else { return false }
    attempt = TransferAttempt(number: attempt.number)
    notes.lastActivity = loop.now
    return true
  }

  private func forgetSending() {
    attempt.uploadPosition = 0
    attempt.sentCount = 0
    attempt.requestEnded = nil
  }

  /// True if the request's body can be sent from its beginning.
  private var isBodyWhole: Bool {
    switch upload {
    case .nothing, .bytes: true
    case .feed: attempt.uploadPosition == 0
    }
  }

  /// Starts the request's body again for another attempt. Returns `false` if this is impossible.
  func rewindBody(to position: Int64) -> Bool {
    guard position == 0, isBodyWhole else { return false }
    attempt.uploadPosition = 0
    return true
  }

  /// True if the request's method is safe and the request has no body.
  private var isSafe: Bool {
    guard case .nothing = upload else { return false }
    return [.get, .head, .options].contains(exchange.request.method)
  }

  /// True if libcurl's log has to be read to learn whether the server refused the stream. Safe requests can be sent again without this
  /// proof, and libcurl does so unless they are the first on their connection.
  var needsStreamNotes: Bool { kind == .multiplexed && !isSafe }

  func noteLastStream(_ last: UInt32, on connection: StreamLog.Connection) {
    if attempt.stream.connection == connection { attempt.stream.noteLastStream(last) }
  }

  func noteConnecting() {
    if attempt.connectingBegan == nil { attempt.connectingBegan = loop.now }
  }

  func fillBody(_ target: UploadTarget) -> UploadFeed.ReadResult {
    if let failure { return .failure(failure) }
    let result: UploadFeed.ReadResult
    switch upload {
    case .nothing: result = .end
    case .bytes(let data):
      let count = target.fill(from: data.dropFirst(attempt.uploadPosition))
      result = count == 0 ? .end : .bytes(count)
    case .feed(let feed, let length): result = checked(feed.take(into: target), length)
    }
    switch result {
    case .bytes(let count):
      attempt.uploadPosition += count
      notes.lastActivity = loop.now
      sending?.advance(to: attempt.uploadPosition)
    case .end:
      attempt.requestEnded = loop.now
      sending?.finish()
    case .nothingYet: attempt.isSendingPaused = true
    case .failure(let error):
      failure = error
      loop.markDirty(self)
    }
    return result
  }

  /// Returns the lines of the request's trailer section. Returns `nil` if a field is not allowed there. Called after the body was read.
  func trailerLines() -> [String]? {
    let fields = exchange.request.body.trailers?() ?? [:]
    let invalid = fields.first {
      !$0.key.isValid || !$0.value.isValid || HTTP.Headers.forbiddenInTrailers.contains($0.key)
    }
    if let invalid {
      let reason = "\(invalid.key.rawValue.debugDescription) cannot be a trailer field"
      failure = TransportError(code: .requestBodyFailed, phase: .send, reason: reason)
      loop.markDirty(self)
      return nil
    }
    // libcurl drops a line without a space after the colon.
    return fields.map { "\($0.key.rawValue): \($0.value.rawValue)" }
  }

  /// Records the total number of bytes of the request's body that libcurl has sent.
  func noteSent(_ count: Int) {
    guard count > attempt.sentCount else { return }
    attempt.sentCount = count
    notes.lastActivity = loop.now
    if count == upload.length { attempt.requestEnded = loop.now }
  }

  /// The number of bytes of the request's body that were sent. libcurl does not request a body that it sends together with the head.
  func sentCount(by handle: EasyHandle) -> Int {
    guard case .bytes(let data) = upload, data.count <= Self.smallBodySize else { return attempt.uploadPosition }
    return min(Int(clamping: handle.time(CURLINFO_SIZE_UPLOAD_T)), data.count)
  }

  /// Reports the progress of a body that libcurl sends together with the head. ``fillBody(_:)`` reports that of other bodies.
  func reportSmallBody(sentBy handle: EasyHandle) {
    guard sending != nil, case .bytes = upload, !isSendingLarge else { return }
    sending?.advance(to: sentCount(by: handle))
  }

  /// True if the request's body is not sent together with its head.
  var isSendingLarge: Bool {
    switch upload {
    case .nothing: false
    case .bytes(let data): data.count > Self.smallBodySize
    case .feed: true
    }
  }

  /// True if the whole response was received while the request's body is still being sent. The server no longer reads that body.
  ///
  /// In this case libcurl would continue to send. A transfer that has sent everything has already ended when this is checked.
  var isAnsweredEarly: Bool {
    guard isWhole, handle != nil, failure == nil, isSendingLarge else { return false }
    // An HTTP/2 stream continues until the server ends it, even after the request was sent.
    if kind == .multiplexed, attempt.requestEnded != nil { return false }
    return upload.length.map { attempt.sentCount < $0 } ?? true
  }

  /// Returns `result`, or an error if the feed has more or fewer bytes than `length`, the announced number.
  private func checked(_ result: UploadFeed.ReadResult, _ length: Int?) -> UploadFeed.ReadResult {
    guard let length else { return result }
    let found: Int
    switch result {
    case .bytes(let count) where count > length - attempt.uploadPosition: found = attempt.uploadPosition + count
    case .end where attempt.uploadPosition < length: found = attempt.uploadPosition
    default: return result
    }
    return .failure(TransportError(readingRequestBody: HTTP.BodyError.wrongLength(expected: length, found: found)))
  }
}

/// Detects in libcurl's log that a server refused an HTTP/2 stream.
///
/// libcurl has the same result for a stream that the server refused without processing it and for a connection that failed during a
/// request. Its log distinguishes them in two cases: if the first request on a connection is refused, and if a GOAWAY frame names a last
/// stream before this one. In other cases, and with versions that word the messages differently, a refusal is not detected. The messages
/// are those of 7.88.1 and 8.23, which were tried.
///
/// libcurl logs a GOAWAY frame for only one of the transfers on its connection. ``note(_:)`` returns it, so that the others can be notified.
struct StreamLog {
  /// A connection with HTTP/2, identified by the addresses and ports of both sides. It is unique among the open connections of a process.
  struct Connection: Hashable {
    let remoteAddress: String
    let remotePort: Int32
    let localAddress: String
    let localPort: Int32
  }

  /// The number of the stream of the latest attempt; `nil` before the stream is opened.
  private var number: UInt32?
  /// True if libcurl has given up the latest attempt. Later messages may be about another connection that it considers next.
  private(set) var isOver = false
  /// True if the server certainly did not process the latest attempt. Source: RFC 9113 §6.8, §8.7.
  private(set) var isRefused = false
  /// True if the stream is after the last one that the server processes before it closes the connection. Source: RFC 9113 §6.8.
  private(set) var isAfterLastStream = false
  /// The connection of the latest attempt; `nil` if it is unknown.
  private(set) var connection: Connection?

  mutating func begin(on connection: Connection?) {
    self = StreamLog()
    self.connection = connection
  }

  /// Returns the number of the last stream that the server processes if the line reports GOAWAY on the stream's connection.
  mutating func note(_ line: String) -> UInt32? {
    if line.hasPrefix("Using Stream ID: ") {
      number = Self.number(in: line, after: "Using Stream ID: ")
    } else if line.hasPrefix("[HTTP/2] [") {
      if line.contains("] OPENED stream") { number = Self.number(in: line, after: "[HTTP/2] [") }
    } else if line.hasPrefix("HTTP/2 stream ") {
      isRefused = isRefused || line.contains(" refused by server")
    } else if line.hasPrefix("REFUSED_STREAM") {
      isRefused = true
      isOver = true
    } else if line.hasPrefix("Connection died") {
      isOver = true
    } else if !isOver, line.contains("GOAWAY, error="), let last = Self.number(in: line, after: "last_stream=") {
      noteLastStream(last)
      return last
    }
    return nil
  }

  /// Records the number of the last stream that the server processes before it closes the connection.
  mutating func noteLastStream(_ last: UInt32) {
    guard !isOver, let number, number > last else { return }
    isAfterLastStream = true
    isRefused = true
  }

  private static func number(in line: String, after label: String) -> UInt32? {
    guard let start = line.firstRange(of: label)?.upperBound else { return nil }
    return UInt32(line[start...].prefix { $0.isASCII && $0.isNumber })
  }
}
