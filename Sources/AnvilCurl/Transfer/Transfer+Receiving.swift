internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The response, as libcurl's callbacks bring it.
extension Transfer {
  /// A line of the head, or of the trailers after the body; false when it is refused.
  func receiveHead(_ line: RawSpan) -> Bool {
    guard failure == nil else { return false }
    // Trailers are taken from among the chunks, whether or not libcurl hands them over, too.
    guard chunks == nil else { return true }
    return takeLine(line)
  }

  private func takeLine(_ line: RawSpan) -> Bool {
    headSize += line.byteCount
    guard headSize <= loop.configuration.maximumHeadSize else {
      return refuse(.responseTooLarge, "the head has more than \(loop.configuration.maximumHeadSize) bytes")
    }
    do throws(HeadReader.Malformed) {
      let isLast = try reader.take(line)
      return isLast && !hasHead ? endHead() : true
    } catch {
      return refuse(.malformedResponse, error.reason)
    }
  }

  private func endHead() -> Bool {
    let head = reader
    reader = HeadReader()
    times.lastActivity = loop.now
    let response = HTTP.Response(
      request: exchange.request, status: HTTP.Status(code: head.code), headers: HTTP.Headers(head.fields))
    if head.code == 101 {
      return refuse(.malformedResponse, "the server switched protocols without being asked")
    }
    if head.code < 200 {
      headSize = 0
      interimCount += 1
      guard interimCount <= Self.interimLimit else {
        return refuse(.responseTooLarge, "the response has more than \(Self.interimLimit) interim responses")
      }
      exchange.options.eventHandler?(.informational(response))
      return true
    }
    // Nothing behind such a head can be read: whoever passes it on had better not begin.
    if head.hasTransferEncoding,
      response.headers.values(for: .transferEncoding).map({ $0.rawValue.lowercased() }) != ["chunked"]
    {
      return refuse(.malformedResponse, "a transfer coding that was not asked for")
    }
    hasHead = true
    loop.noteHead(of: self)
    reader = .forTrailers
    loop.markDirty(self)
    defer { self.head = response }
    return checkFraming(head, response)
  }

  /// Refuses a body whose length the head contradicts itself about; such a head is handed over all the same.
  private func checkFraming(_ head: HeadReader, _ response: HTTP.Response) -> Bool {
    let canHaveBody = response.canHaveBody
    if !canHaveBody {
      missingCount = 0
    } else if head.hasTransferEncoding {
      chunks = ChunkReader()
    }
    if let length = head.length, !head.hasTransferEncoding {
      if canHaveBody { expectedLength = length }
    } else if head.lengthLineCount > 0 {
      if let contradiction = response.headers.lengthContradiction {
        return refuse(.malformedResponse, contradiction, phase: .body)
      }
      if canHaveBody, case .bytes(let length) = response.headers.statedLength { expectedLength = length }
    }
    if let expectedLength { missingCount = expectedLength }
    // What libcurl has read behind a head without a body it drops, and says so in its log only.
    if missingCount == 0, kind == .exclusive { handle?.readLog() }
    // A part of a compressed body can be undone with the others only.
    guard head.hasContentEncoding, canHaveBody, head.code != 206,
      case .automatic(let limits) = loop.configuration.decompression
    else { return true }
    let codings = response.headers.contentCodings
    guard codings.count <= BodyDecoder.codingLimit else {
      let reason = "\(codings.count) content codings, where at most \(BodyDecoder.codingLimit) are accepted"
      return refuse(.malformedResponse, reason, phase: .body)
    }
    if !codings.isEmpty { decoder = BodyDecoder(codings, limits: limits) }
    if decoder != nil { expectedLength = nil }
    return true
  }

  private func refuse(
    _ code: TransportError.Code, _ reason: String, phase: TransportError.Phase = .firstByte
  ) -> Bool {
    failure = TransportError(code: code, phase: phase, reason: reason)
    loop.markDirty(self)
    return false
  }

  /// Bytes of the body.
  func receiveBody(_ bytes: RawSpan) -> Reception {
    guard failure == nil, hasHead, !isGivenUp else { return .refused }
    if isReceivingPaused {
      hasToldPause = true
      return .paused
    }
    times.lastActivity = loop.now
    loop.markDirty(self)
    defer { checkExcess() }
    guard chunks != nil else {
      if let missingCount { self.missingCount = max(missingCount - bytes.byteCount, 0) }
      return take(bytes)
    }
    return takeChunks(bytes)
  }

  /// Gives the connection up after this response if more than that has come already: what a server says before it is asked is
  /// no answer to the next request. Source: RFC 9112 §9.2.
  ///
  /// Bytes that are still on the socket are noticed there, and libcurl itself notices what it has read behind a body.
  private func checkExcess() {
    guard isWhole, kind == .exclusive, let handle, handle.hasUnreadTLSInput else { return }
    handle.forbidReuse()
  }

  /// Takes a line of libcurl's log.
  func noteLine(_ line: String) {
    guard kind == .exclusive else { return times.stream.note(line) }
    // Up to 7.88 it only says so.
    if line.hasPrefix("Excess found") { handle?.forbidReuse() }
  }

  /// Takes what comes in chunks, with its trailers.
  private func takeChunks(_ bytes: RawSpan) -> Reception {
    var position = 0
    do throws(ChunkLine.Malformed) {
      while let element = try chunks?.next(in: bytes, from: &position) {
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

  /// Takes bytes of the body as it is without its transfer coding.
  private func take(_ bytes: RawSpan) -> Reception {
    if let decoder {
      decoder.append(bytes)
      decode()
      return failure == nil ? .taken : .refused
    }
    var position = 0
    while position < bytes.byteCount {
      if buffer == nil { buffer = makeBuffer() }
      let count = buffer?.append(bytes.extracting(position...)) ?? 0
      position += count
      // What is there as a whole is handed over with the end, which is about to come.
      if buffer?.isFull == true, count == 0 || buffer?.count != expectedLength {
        yieldBuffer()
      } else if count == 0 {
        _ = refuse(.other, "no memory for the body", phase: .body)
        return .refused
      }
    }
    return .taken
  }

  /// Whether all of the response has come. An end that only the connection shows is not known before libcurl says so.
  var isWhole: Bool { hasHead && (missingCount == 0 || chunks?.isOver == true) }

  /// Undoes the codings of what has come, as far as the reader wants it.
  func decode() {
    guard let decoder else { return }
    while failure == nil, !isReceivingPaused {
      if buffer == nil { buffer = makeBuffer() }
      var count = 0
      do throws(TransportError) {
        count = try buffer?.fill(from: decoder) ?? 0
      } catch {
        failure = error
      }
      guard count > 0 else { return }
      if buffer?.isFull == true { yieldBuffer() }
    }
  }

  /// A body whose length is known and that is wanted as a whole gets room for it at once, up to a MiB.
  private func makeBuffer() -> BodyBuffer {
    if let expectedLength, expectedLength > 0, case .collected = exchange.options.responseDelivery {
      let left = max(expectedLength - yieldedCount, 1)
      return BodyBuffer(capacity: min(left, 1 << 20))
    }
    return BodyBuffer(of: loop.slabs)
  }

  /// Hands over what has been gathered, and notes whether the reader has enough.
  func yieldBuffer() {
    guard let data = takeBuffer() else { return }
    if writer == nil { deliverHead() }
    yieldedCount += data.count
    writer?.yield(data)
    if writer?.flow == .pause { isReceivingPaused = true }
  }

  func takeBuffer() -> Data? {
    guard let full = buffer.take(), full.count > 0 else { return nil }
    return full.data()
  }

  /// Hands over the head, with a body that is filled from here on.
  func deliverHead() {
    guard writer == nil, let head = head.take() else { return }
    let exchange = exchange
    let (body, writer) = TransportBody.makeStream(
      onAbandon: { exchange.cancel() },
      onFlow: { if $0 == .resume { exchange.tell(.resume(exchange)) } })
    self.writer = writer
    exchange.deliver(TransportResponse(head: head, body: body), writer)
  }

  /// Hands over what has come.
  func flush() {
    guard hasHead else { return }
    if writer == nil { deliverHead() }
    yieldBuffer()
  }

  /// The reader has room again.
  func resume() {
    guard isReceivingPaused, let writer, writer.flow == .resume else { return }
    isReceivingPaused = false
    times.lastActivity = loop.now
    decode()
    loop.markDirty(self)
    if let pendingEnd {
      if !isReceivingPaused { finish(pendingEnd) }
      return
    }
    guard hasToldPause, !isReceivingPaused, let handle else { return }
    hasToldPause = false
    check(handle.pause(receiving: false, sending: isSendingPaused))
  }

  /// Has libcurl let go of what it holds for a transfer that is paused, which is given up.
  ///
  /// On a connection that others use it would keep that for ever: seen with 7.88.1, 64 kB and more for each.
  func takeBackPaused() {
    guard hasToldPause, let handle else { return }
    hasToldPause = false
    isGivenUp = true
    // What it says is that the bytes were refused.
    _ = handle.pause(receiving: false, sending: isSendingPaused)
  }

  /// There is more to send.
  func feed() {
    guard isSendingPaused, let handle else { return }
    isSendingPaused = false
    times.lastActivity = loop.now
    check(handle.pause(receiving: hasToldPause, sending: false))
  }

  private func check(_ result: CURLcode) {
    // A callback that refuses has said why.
    guard result != CURLE_OK, failure == nil else { return }
    failure = TransportError(
      result, text: handle?.failureText ?? "", afterHead: hasHead, phase: phase, elapsed: elapsed(loop.now))
    loop.markDirty(self)
  }
}
