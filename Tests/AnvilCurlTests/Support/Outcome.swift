import AnvilClient
import AnvilCurl
import AnvilHTTP
import Foundation
import Synchronization

/// What came of an exchange.
struct Outcome: Sendable {
  var head: HTTP.Response?
  var body = Data()
  var error: TransportError?
  var metrics: TransferMetrics?

  var text: String { String(decoding: body, as: UTF8.self) }
  var reason: String { error?.reason ?? "" }
}

extension CurlSession {
  /// The whole exchange: head and body as far as they came, and what ended it if it did not end well.
  ///
  /// - Parameter timeout: for all of it. More than anything takes, unless it is what is tested.
  func exchange(
    _ request: HTTP.Request, timeout: Duration? = .seconds(240), delivery: ResponseDelivery = .collected
  ) async -> Outcome {
    var outcome = Outcome()
    let metrics = Recorder<TransferMetrics>()
    let options = TransportOptions(
      timeout: timeout, responseDelivery: delivery,
      eventHandler: { if case .finished(let all) = $0 { metrics.add(all) } })
    do throws(TransportError) {
      let response = try await send(request, options: options)
      outcome.head = response.head
      var chunks = response.body.makeAsyncIterator()
      while let chunk = try await chunks.next() { outcome.body += chunk }
    } catch {
      outcome.error = error
    }
    outcome.metrics = metrics.all.last
    return outcome
  }

  func get(_ url: URL, timeout: Duration? = .seconds(240)) async -> Outcome {
    await exchange(HTTP.Request(url: url), timeout: timeout)
  }
}

/// What was heard, in its order, from any thread.
final class Recorder<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  var all: [Element] { list.withLock { $0 } }

  func add(_ element: Element) {
    list.withLock { $0.append(element) }
  }

  func removeAll() {
    list.withLock { $0.removeAll() }
  }
}

/// Waits until `condition` holds, for as long as the test may take.
func wait(until condition: () -> Bool) async throws {
  while !condition() { try await Task.sleep(for: .milliseconds(2)) }
}

/// Configurations are made in one expression.
func configured(
  _ base: CurlSession.Configuration = .init(), _ change: (inout CurlSession.Configuration) -> Void
) -> CurlSession.Configuration {
  var configuration = base
  change(&configuration)
  return configuration
}
