import Anvil
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The compiled samples of the guide "Recipes for events and servers".
@Suite(.timeLimit(.minutes(15))) struct RecipeSamples {
  // sample: call-metrics
  struct CallMetrics: Sendable {
    let record: @Sendable (_ result: String, _ elapsed: Duration) -> Void

    var observer: ExchangeObserver {
      ExchangeObserver { event in
        switch event.kind {
        case .head(let response): record("\(response.status.code)", event.elapsed)  // the time to the first byte
        case .failed(let error): record("\(error.code)", event.elapsed)
        default: break
        }
      }
    }
  }
  // end sample

  @Test func statusesAndErrorsAreRecorded() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    server.on(.post, "/users") { _ in .fault(.truncatedBody) }
    let baseURL = server.url
    let results = Mutex<[String]>([])
    let metrics = CallMetrics { result, _ in results.withLock { $0.append(result) } }
    // sample: observing-metrics
    var configuration = ClientConfiguration.standard
    configuration.observers = [metrics.observer]
    let gateway = Gateway(baseURL: baseURL, configuration: configuration)
    // end sample
    _ = try await gateway.get("users/1", as: User.self)
    _ = try? await gateway.get("users/2", as: User.self)
    _ = try? await gateway.post("users", as: User.self)
    #expect(results.withLock(\.self) == ["200", "404", "200", "\(TransportError.Code.truncatedResponse)"])
  }
}
