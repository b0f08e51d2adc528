import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

struct ExchangeEventTests {
  /// A session reports events of the transfer on its own thread.
  private struct Reporting: TransportSession {
    func send(
      _ request: HTTP.Request, options: TransportOptions
    ) async throws(TransportError) -> TransportResponse {
      let attempt = HTTP.History.Attempt(outcome: .status(503), delay: .zero)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { for _ in 0..<50 { options.eventHandler?(.retrying(attempt)) } }
        }
      }
      return TransportResponse(HTTP.Response(request: request, status: 200, headers: [:]), body: Data("x".utf8))
    }
  }

  private final class Log: Sendable {
    private let state = Mutex((isInside: false, kinds: [String](), overlaps: 0))

    func receive(_ event: ExchangeObserver.Event) {
      state.withLock { state in
        if state.isInside { state.overlaps += 1 }
        state.isInside = true
      }
      for _ in 0..<100 { state.withLock { _ in } }
      state.withLock { state in
        state.isInside = false
        switch event.kind {
        case .started: state.kinds.append("started")
        case .head: state.kinds.append("head")
        case .body: state.kinds.append("body")
        case .completed: state.kinds.append("completed")
        default: state.kinds.append("other")
        }
      }
    }

    var kinds: [String] { state.withLock { $0.kinds } }
    var overlaps: Int { state.withLock { $0.overlaps } }
  }

  @Test func anObserverReceivesTheEventsOfAnExchangeOneAtATime() async throws {
    let log = Log()
    var configuration = ClientConfiguration.bare
    configuration.observers = [ExchangeObserver { log.receive($0) }]
    let url = try #require(URL(string: "https://a.example/x"))
    _ = try await Gateway(baseURL: url, session: Reporting(), configuration: configuration).request().send()
    #expect(log.overlaps == 0)
    #expect(log.kinds.filter { $0 == "other" }.count == 400)
    #expect(log.kinds.filter { $0 != "other" } == ["started", "head", "body", "completed"])
  }
}
