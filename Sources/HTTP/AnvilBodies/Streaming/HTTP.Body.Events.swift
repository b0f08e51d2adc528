public import AnvilBase
public import AnvilHTTP
internal import AnvilJSON

extension HTTP.Body {
  /// The server-sent events of the body, parsed as they arrive, each of at most 16 MiB.
  ///
  ///     for try await event in response.body.events { print(event.type, event.data) }
  ///
  /// - SeeAlso: ``events(sizeLimit:)`` for the details.
  public var events: Events { events(sizeLimit: 16 << 20) }

  /// Returns the server-sent events of the body, parsed as they arrive. Lines and the data of an event have at most `limit` bytes.
  ///
  /// An event is complete with the blank line after it; an unterminated event is discarded. Comments, unknown fields and events
  /// without data are ignored. Invalid UTF-8 is replaced by U+FFFD. Events are decoded in the body's ``decodingFormat``.
  ///
  /// The sequence reads a single response. To reconnect when the response ends, as a browser does, use
  /// `events(reconnection:)` of a gateway's request.
  ///
  /// A chunk is read only when the next event is not available yet. At most an event and a chunk are in memory.
  ///
  /// A body with another media type than `text/event-stream` is an error, so that an API's explanation of a failure is not taken for a
  /// stream without events. Without a type, and with `text/plain` or `application/octet-stream`, the body is read, and it is an error if it
  /// ends without an event and has a line that is not a field of an event. If a server states a wrong type, set the body's `contentType` to `nil`.
  ///
  /// Reading throws ``HTTP/BodyError/notAnEventStream(contentType:)``, ``HTTP/BodyError/eventTooLarge(limit:)``, errors of reading the body,
  /// and, if the task is cancelled, `CancellationError` or, for the body of a response, the transport's error with the code `cancelled`. The
  /// sequence ends after an error.
  ///
  /// Source: the HTML standard, §9.2.5 and §9.2.6.
  public func events(sizeLimit limit: Int) -> Events {
    switch contentType?.mediaType ?? "" {
    case "text/event-stream": Events(body: self, limit: limit, lastEventID: "")
    case "", "text/plain", "application/octet-stream":
      Events(body: self, limit: limit, lastEventID: "", isDeclared: false)
    default:
      Events(
        body: self, limit: limit, lastEventID: "",
        mismatch: .notAnEventStream(contentType: contentType.map(\.rawValue)))
    }
  }

  /// The server-sent events of a body; see ``HTTP/Body/events(sizeLimit:)``. Can be iterated as often as the body can be read.
  public struct Events: AsyncSequence, Sendable {
    let body: HTTP.Body
    let limit: Int
    let lastEventID: String
    /// A Boolean value that indicates whether the media type is that of event streams. Otherwise the content must show it.
    let isDeclared: Bool
    let mismatch: HTTP.BodyError?

    /// Creates a sequence of the events of `body`, which is declared as an event stream unless the last parameters state otherwise.
    package init(
      body: HTTP.Body, limit: Int, lastEventID: String, isDeclared: Bool = true, mismatch: HTTP.BodyError? = nil
    ) {
      self.body = body
      self.limit = limit
      self.lastEventID = lastEventID
      self.isDeclared = isDeclared
      self.mismatch = mismatch
    }

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(
        events: PieceReader(
          body, ServerSentEventParser(limit: limit, lastEventID: lastEventID, isDeclared: isDeclared),
          mismatch: mismatch),
        format: body.ownDecodingFormat)
    }

    /// An iterator over the events, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var events: PieceReader<ServerSentEventParser>
      let format: (any DecodingFormat)?

      /// The parser, which provides the last event ID and the retry delay of the stream.
      package var parser: ServerSentEventParser { events.splitter }

      /// Returns the next event; `nil` at the end and after an error.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> HTTP.ServerSentEvent? {
        var event = try await events.next()
        event?.decodingFormat = format
        return event
      }
    }
  }
}

/// A parser for an event stream that arrives in chunks.
///
///     parser.append(chunk)
///     while let event = try parser.next() { … }      // then the next chunk
///
/// Source: the HTML standard, §9.2.5 and §9.2.6.
package struct ServerSentEventParser {
  /// The last event ID that was confirmed by a blank line: the value of `Last-Event-ID` when the client reconnects.
  package private(set) var lastEventID: String
  /// The value of the last `retry` field; `nil` if there was none.
  package private(set) var retry: Duration?

  /// True if the media type shows that the stream is an event stream. Otherwise its content must show it.
  private let isDeclared: Bool
  private var evidence = Evidence.none
  private let limit: Int
  private var lines: LineSplitter
  private var type = ""
  private var id: String
  /// The values of the event's data fields, joined with LF; `nil` before the first data field.
  private var data: Data?

  private enum Evidence {
    case none
    /// An event, or in a declared stream a comment or a field of an event: it is an event stream, whatever follows.
    case events
    /// In a declared stream a line as in JSON or HTML; in another one any line that is neither a comment nor a field of an event.
    case otherContent
  }

  /// - Parameters:
  ///   - limit: The maximum number of bytes of a line and of an event's data.
  ///   - lastEventID: The last event ID of the stream that this one continues. It applies to events without an `id` field. According to the
  ///     standard, the ID would be empty after a reconnect and the client would lose its position. Browsers keep the ID.
  ///   - isDeclared: Whether the media type is that of an event stream. A declared stream may have other fields. It is an error if it ends
  ///     without a comment and without a field of an event, but with a line of JSON or HTML. Another stream must not end without an event if it
  ///     has a line that is neither a comment nor a field of an event.
  package init(limit: Int, lastEventID: String = "", isDeclared: Bool = true) {
    self.limit = max(0, limit)
    self.isDeclared = isDeclared
    self.lastEventID = lastEventID
    id = lastEventID
    lines = LineSplitter(ends: .lineFeedOrReturn, limit: limit)
  }

  /// Appends the next bytes of the stream. The previous chunk must be used up: ``next()`` has returned `nil`.
  package mutating func append(_ chunk: Data) {
    lines.append(chunk)
  }

  /// Returns the next event; `nil` if more bytes are needed.
  ///
  /// - Throws: ``HTTP/BodyError/eventTooLarge(limit:)``; the parser must not be used afterwards.
  package mutating func next() throws(HTTP.BodyError) -> HTTP.ServerSentEvent? {
    while let line = try nextLine() {
      if line.isEmpty {
        if let event = endEvent() { return event }
      } else {
        try take(line)
      }
    }
    return nil
  }

  /// An unterminated event is discarded. Throws ``HTTP/BodyError/notAnEventStream(contentType:)``.
  package mutating func finish() throws(HTTP.BodyError) -> HTTP.ServerSentEvent? {
    guard evidence != .events else { return nil }
    if let line = try nextLine(isAtEnd: true) { noteKind(of: line, colon: line.offset(of: .colon, from: 0)) }
    guard evidence == .otherContent else { return nil }
    throw .notAnEventStream(contentType: nil)
  }

  package var isWithinEvent: Bool { data != nil || lines.hasUnfinishedLine }

  private mutating func nextLine(isAtEnd: Bool = false) throws(HTTP.BodyError) -> Data? {
    do throws(HTTP.BodyError) {
      return isAtEnd ? try lines.finish() : try lines.next()
    } catch {
      throw .eventTooLarge(limit: limit)
    }
  }

  /// Ends the current event at a blank line.
  private mutating func endEvent() -> HTTP.ServerSentEvent? {
    lastEventID = id
    defer {
      type = ""
      data = nil
    }
    guard let data else { return nil }
    evidence = .events
    return HTTP.ServerSentEvent(
      type: type.isEmpty ? "message" : type, data: String(decoding: data, as: UTF8.self),
      lastEventID: lastEventID, retry: retry)
  }

  /// Processes a field or a comment.
  private mutating func take(_ line: Data) throws(HTTP.BodyError) {
    let found = line.offset(of: .colon, from: 0)
    let colon = found ?? line.count
    var value = line.dropFirst(colon + 1)
    if value.first == .space { value = value.dropFirst() }
    switch Self.name(of: line, colon: found) {
    case "data": try takeData(value)
    case "event": type = String(decoding: value, as: UTF8.self)
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry": retry = Self.milliseconds(value) ?? retry
    default: break
    }
    if evidence != .events { noteKind(of: line, colon: found) }
  }

  private mutating func noteKind(of line: Data, colon: Int?) {
    let names = ["data", "event", "id", "retry"]
    let isKnown = colon == 0 || names.contains(Self.name(of: line, colon: colon))
    if isDeclared, isKnown {
      evidence = .events
    } else if isDeclared ? line.first.map("{[<".utf8.contains) == true : !isKnown {
      evidence = .otherContent
    }
  }

  /// Returns the name of the field, or its first six bytes, one more than the longest known name has.
  private static func name(of line: Data, colon: Int?) -> String {
    String(decoding: line.prefix(min(colon ?? line.count, 6)), as: UTF8.self)
  }

  private mutating func takeData(_ value: Data) throws(HTTP.BodyError) {
    // An event usually has only one data field, which needs no copy.
    guard let count = data?.count else { return data = value }
    guard value.count < limit - count else { throw .eventTooLarge(limit: limit) }
    data?.append(.lineFeed)
    data?.append(value)
  }

  /// Returns the duration of `digits` milliseconds, clamped to the maximum; `nil` if `digits` contains any other character.
  private static func milliseconds(_ digits: Data) -> Duration? {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard byte.isDigit else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(byte - .digit0))
      value = overflow || carry ? .max : sum
    }
    return .milliseconds(value)
  }
}

extension HTTP {
  /// A message of an event stream.
  ///
  /// Source: the HTML standard, §9.2.6.
  public struct ServerSentEvent: Sendable {
    /// The event type: the value of its `event` field, or `message` if the field is missing or empty.
    public var type: String
    /// The values of its `data` fields, joined with LF.
    public var data: String
    /// The value of the last `id` field of the stream; empty if there was none. A client sends it as `Last-Event-ID` when it
    /// reconnects.
    public var lastEventID: String
    /// The last `retry` field of the stream: the time that a client should wait before it reconnects. `nil` if there was none.
    public var retry: Duration?
    /// The format of the body that contained the event; `nil` if none was set.
    var decodingFormat: (any DecodingFormat)?

    /// Creates an event with `data`, by default of type `message`.
    public init(type: String = "message", data: String, lastEventID: String = "", retry: Duration? = nil) {
      self.type = type
      self.data = data
      self.lastEventID = lastEventID
      self.retry = retry
    }

    /// Decodes a value of type `type` from ``data``, in `format` or, by default, in the format of the body that contained the event. An
    /// event that was created by a program is decoded as JSON.
    ///
    /// - Throws: An error of the format.
    public func decode<T: Decodable>(as type: T.Type, with format: (any DecodingFormat)? = nil) throws -> T {
      try (format ?? decodingFormat ?? JSON.Decoder.rfc3339()).decode(type, from: Data(data.utf8))
    }
  }
}

extension HTTP.ServerSentEvent: Hashable {
  /// Returns whether both have the same type, data, last event ID and retry delay. The decoding format is ignored.
  public static func == (lhs: HTTP.ServerSentEvent, rhs: HTTP.ServerSentEvent) -> Bool {
    lhs.type == rhs.type && lhs.data == rhs.data && lhs.lastEventID == rhs.lastEventID && lhs.retry == rhs.retry
  }

  /// Hashes the properties that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(data)
    hasher.combine(lastEventID)
    hasher.combine(retry)
  }
}

extension HTTP.ServerSentEvent: CustomReflectable {
  /// A mirror without the decoding format.
  public var customMirror: Mirror {
    Mirror(self, children: ["type": type, "data": data, "lastEventID": lastEventID, "retry": retry as Any])
  }
}
