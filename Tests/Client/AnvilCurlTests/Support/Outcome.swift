import AnvilClient
import AnvilCurl
import AnvilHTTP
import Foundation
import Synchronization

/// The result of an exchange.
struct Outcome: Sendable {
  var head: HTTP.Response?
  var body = Data()
  var error: TransportError?
  var metrics: TransferEvent.Metrics?

  var text: String { String(decoding: body, as: UTF8.self) }
  var reason: String { error?.reason ?? "" }
}

extension CurlSession {
  /// Performs an exchange. The result has the received parts of head and body, and the error if there was one.
  ///
  /// - Parameter timeout: The limit of the whole exchange. The default is longer than any test takes.
  func exchange(
    _ request: HTTP.Request, timeout: Duration? = .seconds(240), delivery: ResponseDelivery = .collected
  ) async -> Outcome {
    var outcome = Outcome()
    let metrics = Recorder<TransferEvent.Metrics>()
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

/// A thread-safe list of events, in order.
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

/// Creates a configuration in one expression.
func configured(
  _ base: CurlSession.Configuration = .init(), _ change: (inout CurlSession.Configuration) -> Void
) -> CurlSession.Configuration {
  var configuration = base
  change(&configuration)
  return configuration
}
