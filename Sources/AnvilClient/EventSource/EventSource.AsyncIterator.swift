public import AnvilHTTP

extension EventSource {
  /// Gives the events in order, over one connection after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let source: EventSource
    private var machine: EventSourceMachine
    /// The open connection's events.
    private var events: HTTP.Body.Events.AsyncIterator?
    private var isEnded = false

    init(_ source: EventSource) {
      self.source = source
      machine = EventSourceMachine(source)
    }

    /// The next event; `nil` when the server says that there is none, and after an error.
    ///
    /// - Throws: ``UnexpectedResponse``, ``HTTP/BodyError/eventTooLarge(limit:)``, what connecting or reading throws
    ///   and the source does not take for transient, and when the task is cancelled what that makes of connecting and
    ///   reading, or `CancellationError`.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> HTTP.ServerSentEvent? {
      while !isEnded {
        let loss: (any Error)?
        do {
          try Task.checkCancellation()
          guard try await open() else {
            isEnded = true
            return nil
          }
          if let event = try await readEvent() { return event }
          loss = nil
        } catch {
          loss = error
        }
        do {
          try await prepareToReconnect(after: loss)
        } catch {
          isEnded = true
          throw error
        }
      }
      return nil
    }

    /// The next event; `nil` when the server says that there is none, and after an error.
    ///
    /// - Throws: as ``next(isolation:)``.
    public mutating func next() async throws -> HTTP.ServerSentEvent? {
      try await next(isolation: #isolation)
    }

    /// Connects unless there is a connection; false when the server says that there is nothing more.
    private mutating func open() async throws -> Bool {
      guard events == nil else { return true }
      let response = try await source.connect(machine.request)
      switch machine.receive(response) {
      case .read:
        let events = HTTP.Body.Events(
          body: response.body, limit: source.eventLimit, lastEventID: machine.lastEventID)
        self.events = events.makeAsyncIterator()
        return true
      case .end: return false
      case .fail(let error): throw error
      }
    }

    /// The connection's next event; `nil` at its end.
    private mutating func readEvent() async throws -> HTTP.ServerSentEvent? {
      defer {
        // What was said without an event counts, too, and up to an error.
        if let parser = events?.parser { machine.note(lastEventID: parser.lastEventID, retry: parser.retry) }
      }
      return try await events?.next()
    }

    /// Waits until it is time to connect again.
    private mutating func prepareToReconnect(after error: (any Error)?) async throws {
      events = nil
      // An error that cancelling has brought about is no reason to connect again.
      if let error, Task.isCancelled { throw error }
      switch machine.lose(error) {
      case .wait(let delay): try await source.clock.sleep(for: delay)
      case .fail(let error): throw error
      }
    }
  }
}
