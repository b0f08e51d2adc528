internal import AnvilBase
package import AnvilBodies
package import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension EventSource {
  /// An iterator over the events of successive connections.
  package struct AsyncIterator: AsyncIteratorProtocol {
    private let source: EventSource
    private var machine: EventSourceMachine
    /// The events of the open connection.
    private var events: HTTP.Body.Events.AsyncIterator?
    /// The response of the last connection, without its body; `nil` before it arrives.
    private(set) var response: HTTP.Response?
    private var isEnded = false
    /// Returns the time since the iterator was created.
    private let elapsed: @Sendable () -> Duration
    /// Returns the time of day.
    private let now: @Sendable () -> Date

    init(_ source: EventSource) {
      self.source = source
      machine = EventSourceMachine(source)
      elapsed = source.clock.stopwatch()
      now = SharedTime.timeOfDay(by: source.clock)
    }

    /// Returns the next event; `nil` after the server ended the sequence, and after an error.
    ///
    /// - Throws: ``UnexpectedResponse``, ``HTTP/BodyError/eventTooLarge(limit:)``, and the errors of connecting or reading that are not
    ///   transient, or after which the request may not be sent again. If the task is cancelled, `CancellationError` or the error of the operation that was interrupted.
    package mutating func next(
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
          loss = machine.truncation(isWithinEvent: events?.parser.isWithinEvent == true)
        } catch {
          loss = error
        }
        do {
          guard try await prepareToReconnect(after: loss) else {
            isEnded = true
            return nil
          }
        } catch {
          isEnded = true
          throw error
        }
      }
      return nil
    }

    /// Returns the next event; `nil` after the server ended the sequence, and after an error.
    ///
    /// - Throws: The errors of ``next(isolation:)``.
    package mutating func next() async throws -> HTTP.ServerSentEvent? {
      try await next(isolation: #isolation)
    }

    /// Connects unless a connection is open. Returns `false` if the server ended the sequence.
    private mutating func open() async throws -> Bool {
      guard events == nil else { return true }
      let response = try await source.connect(machine.request)
      self.response = response.withoutBody
      switch machine.receive(response, at: elapsed()) {
      case .read:
        let events = HTTP.Body.Events(
          body: response.body, limit: source.eventLimit, lastEventID: machine.lastEventID)
        self.events = events.makeAsyncIterator()
        return true
      case .end: return false
      case .fail(let error): throw error
      }
    }

    /// Returns the connection's next event; `nil` at its end.
    private mutating func readEvent() async throws -> HTTP.ServerSentEvent? {
      defer {
        // IDs and times that were received without an event are recorded too, also before an error.
        if let parser = events?.parser { machine.note(lastEventID: parser.lastEventID, retry: parser.retry) }
      }
      let event = try await events?.next()
      if event != nil { machine.noteEvent() }
      return event
    }

    /// Waits until the next connection may be made. Returns `false` if the request may not be sent again.
    @inline(never)
    private mutating func prepareToReconnect(after error: (any Error)?) async throws -> Bool {
      events = nil
      // An error caused by cancellation must not lead to another connection.
      if let error, Task.isCancelled { throw error }
      switch machine.lose(error, at: elapsed(), now: now()) {
      case .wait(let delay): try await source.clock.sleep(for: delay.clampedForClocks)
      case .end: return false
      case .fail(let error): throw error
      }
      return true
    }
  }
}
