internal import AnvilModel

extension HTTP.Body {
  /// The server-sent events of the body as they arrive, each of at most 16 MiB.
  ///
  ///     for try await event in response.body.events { print(event.type, event.data) }
  ///
  /// - SeeAlso: ``events(upTo:)``, which has the details.
  public var events: Events { events(upTo: 1 << 24) }

  /// The server-sent events of the body as they arrive, each with lines and data of at most `limit` bytes.
  ///
  /// An event comes with the blank line behind it; one that the body's end cuts off is none. Comments, unknown fields and
  /// events without data are passed over. What is not UTF-8 becomes U+FFFD. Events decode in the body's ``decodingFormat``.
  ///
  /// This reads one response. To connect again when it ends, as a browser does, use an event source.
  ///
  /// A chunk is read only when an event is asked for that is not there yet. No more is held than an event and a chunk.
  ///
  /// Reading throws ``HTTP/BodyError/eventTooLarge(limit:)``, what reading the body throws, and `CancellationError` when the
  /// task is cancelled; after an error there are no more events.
  ///
  /// Source: the HTML standard, §9.2.5 and §9.2.6.
  public func events(upTo limit: Int) -> Events {
    Events(body: self, limit: limit, lastEventID: "")
  }

  /// The server-sent events of a body; see ``HTTP/Body/events(upTo:)``. Can be read as often as the body can.
  public struct Events: AsyncSequence, Sendable {
    let body: HTTP.Body
    let limit: Int
    let lastEventID: String

    package init(body: HTTP.Body, limit: Int, lastEventID: String) {
      self.body = body
      self.limit = limit
      self.lastEventID = lastEventID
    }

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(
        events: PieceReader(body, ServerSentEventParser(limit: limit, lastEventID: lastEventID)),
        format: body.ownDecodingFormat)
    }

    /// Gives the events in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var events: PieceReader<ServerSentEventParser>
      let format: (any DecodingFormat)?

      /// What knows, beyond the events, the last ID and the time to wait.
      package var parser: ServerSentEventParser { events.splitter }

      /// The next event; `nil` at the end and after an error.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> HTTP.ServerSentEvent? {
        var event = try await events.next()
        event?.decodingFormat = format
        return event
      }

      /// The next event; `nil` at the end and after an error.
      public mutating func next() async throws -> HTTP.ServerSentEvent? {
        try await next(isolation: #isolation)
      }
    }
  }
}
