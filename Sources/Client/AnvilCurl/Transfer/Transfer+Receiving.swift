internal import AnvilBase
internal import AnvilBodies
internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

/// The response, as delivered by libcurl's callbacks.
extension Transfer {
  /// Receives a line of the head, or of the trailers after the body. Returns `false` if the line is refused.
  func receiveHead(_ line: RawSpan) -> Bool {
    guard failure == nil else { return false }
    // Trailers are parsed from the chunks, even if libcurl also delivers them.
    if case .chunked = body.framing { return true }
    return takeLine(line)
  }

  private func takeLine(_ line: RawSpan) -> Bool {
    if attempt.responseBegan == nil { attempt.responseBegan = loop.now }
    attempt.headSize += line.byteCount
    guard attempt.headSize <= loop.configuration.headSizeLimit else {
      return refuse(.responseTooLarge, "the head has more than \(loop.configuration.headSizeLimit) bytes")
    }
    do throws(HeadReader.Malformed) {
      let isLast = try attempt.reader.take(line)
      return isLast && !hasHead ? endHead() : true
    } catch {
      return refuse(.malformedResponse, error.reason)
    }
  }

  private func endHead() -> Bool {
    let head = attempt.reader
    attempt.reader = HeadReader()
    notes.lastActivity = loop.now
    var response = HTTP.Response(
      request: exchange.request, status: HTTP.Status(code: head.code), headers: HTTP.Headers(head.fields))
    response.isDelimitedByClose =
      response.canHaveBody && !response.headers.delimitBody && handle?.usedHTTP1 == true
    if head.code == 101 {
      return refuse(.malformedResponse, "the server switched protocols without being requested to")
    }
    // With TLS, libcurl negotiates the version nevertheless, and through a proxy it may use HTTP/1.1, on connections that are shared here.
    if loop.configuration.httpVersion == .http2PriorKnowledge, handle?.usedHTTP1 == true {
      return refuse(.malformedResponse, "the response is in HTTP/1.1, and only HTTP/2 is allowed")
    }
    if head.code < 200 {
      attempt.headSize = 0
      attempt.responseBegan = nil
      attempt.interimCount += 1
      guard attempt.interimCount <= Self.interimLimit else {
        return refuse(.responseTooLarge, "the response has more than \(Self.interimLimit) interim responses")
      }
      exchange.options.eventHandler?(.informational(response))
      return true
    }
    // Data after such a head cannot be delimited, so that a proxy must not start to forward it.
    if head.hasTransferEncoding,
      response.headers.values(for: .transferEncoding).map({ $0.rawValue.lowercased() }) != ["chunked"]
    {
      return refuse(.malformedResponse, "the response has a transfer coding that was not requested")
    }
    delivery = .holding(response)
    if let handle { reportSmallBody(sentBy: handle) }
    loop.noteHead(of: self)
    attempt.reader = .forTrailers
    loop.markDirty(self)
    return checkFraming(head, response)
  }

  /// Returns `false` for a contradictory length or too many content codings. The head is still delivered then.
  private func checkFraming(_ head: HeadReader, _ response: HTTP.Response) -> Bool {
    let canHaveBody = response.canHaveBody
    if !canHaveBody {
      body.framing = .length(left: 0)
    } else if head.hasTransferEncoding {
      body.framing = .chunked(ChunkReader())
    }
    if let length = head.length, !head.hasTransferEncoding {
      if canHaveBody { body.expectedLength = length }
    } else if head.lengthLineCount > 0 {
      if let contradiction = response.headers.framingConflict {
        return refuse(.malformedResponse, contradiction, phase: .body)
      }
      if canHaveBody, case .bytes(let length) = response.headers.contentLength { body.expectedLength = length }
    }
    if let length = body.expectedLength, !head.hasTransferEncoding { body.framing = .length(left: length) }
    // libcurl discards data that it has read after a head without a body, and reports this in its log only.
    if case .length(left: 0) = body.framing, kind == .exclusive { handle?.readLog() }
    // A part of a compressed body can only be decoded together with the other parts.
    guard head.hasContentEncoding, canHaveBody, head.code != 206,
      case .automatic(let limits) = loop.configuration.decompression
    else { return true }
    let codings = response.headers.contentCodings
    guard codings.count <= ContentCoding.limit else {
      let reason = "the body has \(codings.count) content codings; at most \(ContentCoding.limit) are accepted"
      return refuse(.malformedResponse, reason, phase: .body)
    }
    if !codings.isEmpty { body.decoder = BodyDecoder(codings, limits: limits) }
    if body.decoder != nil { body.expectedLength = nil }
    return true
  }

  private func refuse(
    _ code: TransportError.Code, _ reason: String, phase: TransportError.Phase = .firstByte
  ) -> Bool {
    failure = TransportError(code: code, phase: phase, reason: reason)
    loop.markDirty(self)
    return false
  }

  func receiveBody(_ bytes: RawSpan) -> WriteResult {
    guard failure == nil, hasHead else { return .refused }
    switch inflow {
    case .open: break
    case .draining, .refusing: return .refused
    case .readerFull, .libcurlPaused:
      inflow = .libcurlPaused
      return .paused
    }
    notes.lastActivity = loop.now
    loop.markDirty(self)
    defer { checkExcess() }
    if case .length(let left) = body.framing { body.framing = .length(left: max(left - bytes.byteCount, 0)) }
    return takeChunks(bytes)
  }

  /// Forbids reuse of the connection if data after the end of the response has already been received. Data that a server sends before a
  /// request is not a response to that request. Source: RFC 9112 §9.2.
  ///
  /// Only bytes in the buffer of the TLS library are checked here. `SocketWatches` detects bytes that are still on the socket, and libcurl
  /// detects bytes that it has read after a body.
  private func checkExcess() {
    guard isWhole, kind == .exclusive, let handle, handle.hasUnreadTLSInput else { return }
    handle.forbidReuse()
  }

  /// Handles a line of libcurl's log.
  func noteLine(_ line: String) {
    guard kind == .exclusive else {
      if let last = attempt.stream.note(line), let connection = attempt.stream.connection {
        loop.noteLastStream(last, on: connection)
      }
      return
    }
    // Up to 7.88, libcurl only logs this.
    if line.hasPrefix("Excess found") { handle?.forbidReuse() }
  }

  /// Receives bytes of the body. If it is chunked, they include the sizes of its chunks and its trailers.
  private func takeChunks(_ bytes: RawSpan) -> WriteResult {
    guard case .chunked(var chunks) = body.framing else { return take(bytes) }
    // The parser has one owner while it is changed. Otherwise, its collected line would be copied each time.
    body.framing = .endOfConnection
    defer { body.framing = .chunked(chunks) }
    var position = 0
    do throws(ChunkLine.Malformed) {
      while let element = try chunks.next(in: bytes, from: &position) {
        switch element {
        case .content(let range):
          guard take(bytes.extracting(range)) == .taken else { return .refused }
        case .trailer(let line):
          guard line.withBytes({ takeLine($0) }) else { return .refused }
        case .excess:
          handle?.forbidReuse()
        }
      }
      return .taken
    } catch {
      _ = refuse(.malformedResponse, error.reason, phase: .body)
      return .refused
    }
  }

  /// Receives bytes of the body from which the transfer coding was removed.
  private func take(_ bytes: RawSpan) -> WriteResult {
    if let decoder = body.decoder {
      decoder.append(bytes)
      decode()
      return failure == nil ? .taken : .refused
    }
    var position = 0
    while position < bytes.byteCount {
      if body.buffer == nil { body.buffer = makeBuffer() }
      let count = body.buffer?.append(bytes.extracting(position...)) ?? 0
      position += count
      // A complete body is delivered together with the end of the response, which follows immediately.
      if body.buffer?.isFull == true, count == 0 || body.buffer?.count != body.expectedLength {
        yieldBuffer()
      } else if count == 0 {
        _ = refuse(.other, "there is not enough memory for the body", phase: .body)
        return .refused
      }
    }
    return .taken
  }

  var isWhole: Bool { hasHead && body.isWhole }

  /// Decodes received data until there is no more, or until the reader cannot take more.
  func decode() {
    guard let decoder = body.decoder else { return }
    while failure == nil, inflow.isOpen {
      if body.buffer == nil { body.buffer = makeBuffer() }
      var count = 0
      do throws(TransportError) {
        count = try body.buffer?.fill(from: decoder) ?? 0
      } catch {
        failure = error
      }
      guard count > 0 else { return }
      if body.buffer?.isFull == true { yieldBuffer() }
    }
  }

  /// If the body is delivered as a whole and its length is known, the buffer has this length, but at most 1 MiB.
  private func makeBuffer() -> BodyBuffer {
    if let length = body.expectedLength, length > 0, case .collected = exchange.options.responseDelivery {
      let left = max(length - body.deliveredCount, 1)
      return BodyBuffer(capacity: min(left, 1 << 20))
    }
    return BodyBuffer(of: loop.slabs)
  }

  /// Delivers the buffered bytes. Pauses receiving if the reader cannot take more.
  func yieldBuffer() {
    guard let data = takeBuffer() else { return }
    deliverHead()
    guard case .streaming(let writer) = delivery else { return }
    body.deliveredCount += data.count
    writer.yield(data)
    if writer.flow == .pause, inflow.isOpen { inflow = .readerFull }
  }

  func takeBuffer() -> Data? {
    guard let full = body.buffer.take(), full.count > 0 else { return nil }
    return full.data()
  }

  /// Delivers the head with a streamed body, unless this was done.
  func deliverHead() {
    guard case .holding(let head) = delivery else { return }
    let exchange = exchange
    let (body, writer) = TransportBody.makeStream(
      onAbandon: { exchange.cancel() },
      onFlow: { if $0 == .resume { exchange.post(.resume(exchange)) } })
    delivery = .streaming(writer)
    exchange.deliver(TransportResponse(head: head, body: body), writer)
  }

  func flush() {
    deliverHead()
    yieldBuffer()
  }

  func resume() {
    guard case .streaming(let writer) = delivery, writer.flow == .resume else { return }
    let paused = inflow
    switch paused {
    case .open, .refusing: return
    case .readerFull, .libcurlPaused, .draining: inflow = .open
    }
    notes.lastActivity = loop.now
    decode()
    loop.markDirty(self)
    guard inflow.isOpen else {
      // What was decoded has filled the reader again.
      inflow = paused
      return
    }
    switch paused {
    case .libcurlPaused: if let handle { check(handle.pause(receiving: false, sending: attempt.isSendingPaused)) }
    case .draining(let result): finish(result)
    case .open, .readerFull, .refusing: break
    }
  }

  /// Makes libcurl release the data that it holds for a paused transfer. Called when the transfer is given up.
  ///
  /// On a shared connection libcurl would keep the data forever. With 7.88.1, 64 kB and more were observed for each transfer.
  func discardPausedData() {
    guard inflow.isLibcurlPaused, let handle else { return }
    inflow = .refusing
    // libcurl reports that the bytes were refused, which is expected.
    _ = handle.pause(receiving: false, sending: attempt.isSendingPaused)
  }

  func feed() {
    guard attempt.isSendingPaused, let handle else { return }
    attempt.isSendingPaused = false
    notes.lastActivity = loop.now
    check(handle.pause(receiving: inflow.isLibcurlPaused, sending: false))
  }

  func check(_ result: CURLcode) {
    // A callback that refuses has already set the failure.
    guard result != CURLE_OK, failure == nil else { return }
    failure = TransportError(
      result, text: handle?.failureText ?? "", afterHead: hasHead, phase: phase, elapsed: elapsed(loop.now))
    loop.markDirty(self)
  }
}
