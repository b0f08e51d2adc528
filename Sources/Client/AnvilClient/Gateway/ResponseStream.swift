internal import AnvilBase
public import AnvilBodies
public import AnvilHTTP

/// The events, lines or values of a response, read as they arrive.
///
///     for try await chunk in api.request("chat", method: .post).events(of: Chunk.self, until: "[DONE]") { … }
///
/// The request is sent when the first element is read, and again for each iterator. Reading throws the `Failure` of the request's gateway and
/// nothing else, also for a cancelled task. The sequence ends after an error. Releasing the iterator ends the transfer.
public struct ResponseStream<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// An iterator whose errors are turned into `Failure`.
  typealias Base = any AsyncIteratorProtocol<Element, any Error>

  let makeBase: @Sendable () -> Base
  let makeFailure: @Sendable (any Error) -> Failure

  /// Creates an iterator that sends the request when the first element is read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: makeBase(), makeFailure: makeFailure)
  }

  /// An iterator over the elements, in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// `nil` after the end, so that the transfer is released.
    fileprivate var base: Base?
    fileprivate let makeFailure: @Sendable (any Error) -> Failure

    /// Returns the next element; `nil` at the end and after an error.
    ///
    /// - Throws: `Failure`.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element? {
      do {
        if let element = try await base?.next(isolation: actor) { return element }
        base = nil
        return nil
      } catch {
        base = nil
        throw makeFailure(error)
      }
    }
  }
}

extension HTTP.ServerSentEvent {
  /// The delays and limits for connecting an event stream again after its connection has ended. Whether the request may be sent again is a
  /// setting: ``RequestConfigurable/reconnects``.
  public struct Reconnection: Sendable {
    let time: Duration
    let outageTimeout: Duration?
    let statuses: Set<HTTP.Status>
    let backoff: any BackoffStrategy

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - time: The time to wait before connecting again, until the server sets a time with `retry`. Both times are at least half a second
    ///     and at most an hour. A longer `Retry-After` is respected.
    ///   - outageTimeout: The maximum time from the loss of a connection, or from the beginning, until the next connection is made. If it
    ///     would pass, the sequence throws the last error. `nil` for no limit.
    ///   - statuses: The statuses after which the connection is made again, such as ``Swift/Set/transient``. By default none, as in the HTML
    ///     standard.
    ///   - backoff: The additional time to wait after each failed attempt, and after a connection that ended within ten seconds without an
    ///     event.
    public init(
      time: Duration = .seconds(3), outageTimeout: Duration? = nil, statuses: Set<HTTP.Status> = [],
      backoff: any BackoffStrategy = ExponentialBackoff()
    ) {
      self.time = time
      self.outageTimeout = outageTimeout
      self.statuses = statuses
      self.backoff = backoff
    }
  }
}

/// Streams. Each connection is executed like ``stream()``: the ``RequestConfigurable/timeout`` ends with the head of the response, and
/// ``RequestConfigurable/idleTimeout`` limits the time without data.
extension TypedGatewayRequest {
  /// Returns the server-sent events of the response. If the method is safe, the request is sent again whenever the connection ends.
  ///
  ///     for try await event in gateway.request("feed").events() { print(event.data) }
  ///
  /// A request whose method is not safe, such as a POST, is sent once: the sequence ends with the body, and throws if the body is truncated.
  /// Set ``RequestConfigurable/reconnects`` if the server continues the stream after the same request. ``RequestConfigurable/idempotency`` only
  /// allows repeated attempts until the head of the response arrives.
  ///
  /// The request has `Accept: text/event-stream` and, after an event with an ID, `Last-Event-ID`, from which a server can resume. A 204 ends
  /// the sequence. Any other status than 200, or another media type, is an error whose response has the beginning of the body, unless the
  /// statuses of `reconnection` contain the status.
  ///
  /// Before the source connects again, it waits as `reconnection` describes. An event that was interrupted is discarded. A
  /// ``RequestConfigurable/deadline`` has no effect.
  ///
  /// Source: the HTML standard, §9.2.
  public func events(
    reconnection: HTTP.ServerSentEvent.Reconnection = .init()
  ) -> ResponseStream<HTTP.ServerSentEvent, Failure> {
    let source = source(reconnection)
    return ResponseStream(
      makeBase: { OpenedEvents(events: source.makeAsyncIterator()) }, makeFailure: failure(reading: nil))
  }

  /// Returns the lines of the response's text, whatever its media type, each of at most `limit` bytes; see ``HTTP/Body/lines(sizeLimit:)``.
  ///
  ///     for try await line in gateway.request("log").lines() { print(line) }
  public func lines(sizeLimit limit: Int = 16 << 20) -> ResponseStream<String, Failure> {
    reading { $0.lines(sizeLimit: limit).makeAsyncIterator() }
  }

  private func reading<Iterator: AsyncIteratorProtocol & SendableMetatype>(
    _ type: (any (Decodable & SendableMetatype).Type)? = nil,
    _ makeIterator: @escaping @Sendable (HTTP.Body) -> Iterator
  ) -> ResponseStream<Iterator.Element, Failure> where Iterator.Element: Sendable, Iterator.Failure == any Error {
    ResponseStream(
      makeBase: {
        let clock = call.gateway.wrappedValue.backend.clock
        return OpeningIterator(clock: clock, open: { try await respond(.streamed) }, makeIterator: makeIterator)
      },
      makeFailure: failure(reading: type))
  }

  /// Returns a function that creates the error of a stream or a list from one of its errors. `type` is `nil` if nothing is decoded.
  func failure(
    reading type: (any (Decodable & SendableMetatype).Type)?
  ) -> @Sendable (any Error) -> Failure {
    { error in
      if let failure = error as? Failure { return failure }
      let opened = error as? ReadingError
      let request = HTTP.Request(method: method, url: call.gateway.wrappedValue.base.url)
      let failure = CallFailure(
        opened?.error ?? error, reading: type, of: opened?.response, to: (try? makeHTTPRequest()) ?? request)
      return Failure(failure: failure)
        ?? Failure(transportFailure: TransportFailure(code: .other, request: opened?.response.request ?? request))
    }
  }

  private func source(_ reconnection: HTTP.ServerSentEvent.Reconnection) -> EventSource {
    var request = self
    request.deadline = .unlimited
    // The source creates a request for each connection. Only its header fields are used; everything else is taken from this request.
    let template = HTTP.Request(method: method, url: call.gateway.wrappedValue.base.url, headers: headers, body: body)
    return EventSource(
      request: template, reconnects: inheritedSettings.mayBeginAgain(method) ? .always : .never,
      reconnection: reconnection, clock: call.gateway.wrappedValue.backend.clock
    ) { [request] next in
      var request = request
      request.headers = next.headers
      return try await request.respond(.streamed)
    }
  }
}

/// Streams of values, which are decoded in the format of the settings. A response whose media type is not JSON, such as the page of a proxy, is
/// a ``DecodingFailure`` whose response has the beginning of the body.
extension TypedGatewayRequest where Failure: DecodingFailureRepresentable {
  /// Returns the data of the response's server-sent events, decoded as `type`.
  ///
  ///     for try await chunk in api.request("chat", method: .post).events(of: Chunk.self, until: "[DONE]") { … }
  ///
  /// The events are read as by ``events(reconnection:)``, and decoded whatever their type is: for an API whose events have several types, use
  /// the events themselves. Events with empty data are skipped. An event that cannot be decoded is a ``DecodingFailure`` whose response has the
  /// data of the event as its body.
  ///
  /// - Parameter end: The data of the event that ends the sequence, such as `[DONE]`. It is not decoded. If the stream ends without this
  ///   event, the last read throws a failure with the code `truncatedResponse`, because a connection can end regularly although the server
  ///   has stopped in the middle. `nil` if every regular end of the stream is complete.
  public func events<Value: Decodable & Sendable>(
    of type: Value.Type, until end: String? = nil, reconnection: HTTP.ServerSentEvent.Reconnection = .init()
  ) -> ResponseStream<Value, Failure> {
    let source = source(reconnection)
    let format = responseFormat
    return ResponseStream(
      makeBase: { DecodedEvents(events: source.makeAsyncIterator(), end: end, format: format) },
      makeFailure: failure(reading: type))
  }

  /// Returns the elements of a response that is a JSON array; see ``HTTP/Body/elements(of:with:sizeLimit:)``.
  ///
  ///     for try await user in gateway.request("users").elements(of: User.self) { … }
  public func elements<Value: Decodable & Sendable>(
    of type: Value.Type, sizeLimit limit: Int = 16 << 20
  ) -> ResponseStream<Value, Failure> {
    let format = responseFormat
    return reading(type) { $0.elements(of: type, with: format, sizeLimit: limit).makeAsyncIterator() }
  }

  /// Returns the values of a response with one JSON value per line; see ``HTTP/Body/jsonLines(of:with:sizeLimit:)``.
  public func jsonLines<Value: Decodable & Sendable>(
    of type: Value.Type, sizeLimit limit: Int = 16 << 20
  ) -> ResponseStream<Value, Failure> {
    let format = responseFormat
    return reading(type) { $0.jsonLines(of: type, with: format, sizeLimit: limit).makeAsyncIterator() }
  }

  /// Returns the values of a response that is a JSON text sequence; see ``HTTP/Body/jsonSequence(of:with:sizeLimit:)``.
  public func jsonSequence<Value: Decodable & Sendable>(
    of type: Value.Type, sizeLimit limit: Int = 16 << 20
  ) -> ResponseStream<Value, Failure> {
    let format = responseFormat
    return reading(type) { $0.jsonSequence(of: type, with: format, sizeLimit: limit).makeAsyncIterator() }
  }
}

private struct ReadingError: Error {
  let error: any Error
  /// The response, without its body unless that was rejected without being read.
  let response: HTTP.Response
}

/// An iterator over the parts of a response's body, which sends the request when the first part is read.
private struct OpeningIterator<Base: AsyncIteratorProtocol>: AsyncIteratorProtocol where Base.Failure == any Error {
  let clock: any Clock<Duration>
  let open: @Sendable () async throws -> HTTP.Response
  let makeIterator: @Sendable (HTTP.Body) -> Base
  var opened: (base: Base, response: HTTP.Response)?

  mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Base.Element? {
    if opened == nil {
      let response = try await open()
      opened = (makeIterator(response.body), response)
    }
    guard let response = opened?.response else { return nil }
    do {
      return try await opened?.base.next(isolation: actor)
    } catch {
      throw ReadingError(error: error, response: await response.explained(by: clock))
    }
  }
}

/// The events of a source, with the response in the errors of reading.
private struct OpenedEvents: AsyncIteratorProtocol {
  var events: EventSource.AsyncIterator

  mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> HTTP.ServerSentEvent? {
    do {
      return try await events.next(isolation: actor)
    } catch {
      guard let response = events.response else { throw error }
      throw ReadingError(error: error, response: response)
    }
  }
}

private struct DecodedEvents<Value: Decodable & Sendable>: AsyncIteratorProtocol {
  var events: EventSource.AsyncIterator
  let end: String?
  let format: any DecodingFormat

  mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
    do {
      while let event = try await events.next(isolation: actor) {
        guard event.data != end, var response = events.response else { return nil }
        guard !event.data.isEmpty else { continue }
        response.body = HTTP.Body(Data(event.data.utf8), contentType: .applicationJSON)
        response.body.decodingFormat = format
        return try response.decoded(as: Value.self, by: format)
      }
      guard let end else { return nil }
      throw TransportError(
        code: .truncatedResponse, phase: .body,
        reason: "the stream ended before an event with the data \(end.printable(limit: 40))")
    } catch {
      guard let response = events.response else { throw error }
      throw ReadingError(error: error, response: response)
    }
  }
}

extension HTTP.Response {
  /// The time after which the rest of an explanation is not awaited.
  private static let explanationTime = Duration.seconds(5)

  /// Returns the response with as much of its body in memory as is kept of the body of a failure, if the body has not been read; otherwise
  /// without its body.
  func explained(by clock: any Clock<Duration>) async -> HTTP.Response {
    var response = withoutBody
    guard body.isReadable, let deadline = RequestDeadline(Self.explanationTime, clock: clock) else { return response }
    response.body = await deadline.run { [body] in
      var beginning = BodyBeginning(limit: TransportService.streamedFailureLimit)
      try? await beginning.add(body)
      return HTTP.Body(beginning.data, contentType: body.contentType)
    }
    response.body.takeFormats(of: body)
    return response
  }

  /// The response without its body, whose release does not depend on this copy.
  var withoutBody: HTTP.Response {
    var response = self
    response.body = .empty
    return response
  }
}
