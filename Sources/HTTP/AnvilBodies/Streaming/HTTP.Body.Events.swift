internal import AnvilBase
public import AnvilHTTP

extension HTTP.Body {
  /// The server-sent events of the body, parsed as they arrive, each of at most 16 MiB.
  ///
  ///     for try await event in response.body.events { print(event.type, event.data) }
  ///
  /// - SeeAlso: ``events(upTo:)`` for the details.
  public var events: Events { events(upTo: 1 << 24) }

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
  /// and `CancellationError` if the task is cancelled. The sequence ends after an error.
  ///
  /// Source: the HTML standard, §9.2.5 and §9.2.6.
  public func events(upTo limit: Int) -> Events {
    let type = contentType.map { $0.mediaType } ?? ""
    return switch type {
    case "text/event-stream": Events(body: self, limit: limit, lastEventID: "")
    case "", "text/plain", "application/octet-stream":
      Events(body: self, limit: limit, lastEventID: "", isDeclared: false)
    default:
      Events(
        body: self, limit: limit, lastEventID: "",
        mismatch: .notAnEventStream(contentType: contentType.map(\.rawValue)))
    }
  }

  /// The server-sent events of a body; see ``HTTP/Body/events(upTo:)``. Can be iterated as often as the body can be read.
  public struct Events: AsyncSequence, Sendable {
    let body: HTTP.Body
    let limit: Int
    let lastEventID: String
    /// A Boolean value that indicates whether the media type is that of event streams. Otherwise the content must show it.
    let isDeclared: Bool
    /// The error for a body of another media type.
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
          body, ServerSentEventParser(limit: limit, lastEventID: lastEventID, isDeclared: isDeclared)),
        format: body.ownDecodingFormat, mismatch: mismatch)
    }

    /// An iterator over the events, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var events: PieceReader<ServerSentEventParser>
      let format: (any DecodingFormat)?
      /// The error to throw instead of reading the body.
      var mismatch: HTTP.BodyError?

      /// The parser, which provides the last event ID and the retry delay of the stream.
      package var parser: ServerSentEventParser { events.splitter }

      /// Returns the next event; `nil` at the end and after an error.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> HTTP.ServerSentEvent? {
        if let mismatch {
          self.mismatch = nil
          events.stop()
          throw mismatch
        }
        var event = try await events.next()
        event?.decodingFormat = format
        return event
      }

      /// Returns the next event; `nil` at the end and after an error.
      public mutating func next() async throws -> HTTP.ServerSentEvent? {
        try await next(isolation: #isolation)
      }
    }
  }
}
