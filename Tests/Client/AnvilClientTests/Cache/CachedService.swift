import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// A clock that advances only when a test moves it.
final class TestTime: Sendable {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  static let start = 784_111_777.0

  private let seconds = Mutex(TestTime.start)

  var date: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

  func advance(by seconds: Double) {
    self.seconds.withLock { $0 += seconds }
  }

  /// Returns the time `offset` seconds after the start as an HTTP date.
  static func httpDate(_ offset: Int) -> HTTP.HeaderValue {
    "\(HTTPDate(seconds: Int(start) + offset))"
  }
}

/// A cache between a test and a stub.
struct CachedService: Sendable {
  let session = StubSession { Issue.record($0) }
  let time = TestTime()
  let storage: any CacheStorage
  let cache: CacheInterceptor
  let url: URL

  init(storage: any CacheStorage = MemoryCacheStorage(), maximumBodyLength: Int = 1 << 20) throws {
    let time = time
    self.storage = storage
    cache = CacheInterceptor(storage: storage, maximumBodyLength: maximumBodyLength, now: { time.date })
    url = try #require(URL(string: "https://api.example.com/users/1?page=2"))
  }

  /// The number of requests that the stub has received.
  var requestCount: Int { session.requests.count }

  /// Sends a GET or another request, and returns the outcome with the body read.
  func send(
    _ method: HTTP.Method = .get, _ headers: HTTP.Headers = [:], to url: URL? = nil, body: HTTP.Body = .empty,
    options: TransportOptions = TransportOptions()
  ) async throws -> Answer {
    let request = HTTP.Request(method: method, url: url ?? self.url, headers: headers, body: body)
    let response = try await cache.intercept(request, options: options, next: session)
    var body = Data()
    for try await chunk in response.body { body.append(chunk) }
    #expect(response.head.request.headers == headers)
    return Answer(head: response.head, body: String(decoding: body, as: UTF8.self))
  }

  /// Answers the next GETs of the URL with these fields. The body of the first is `1`, that of the second `2`.
  func serve(
    _ headers: HTTP.Headers, status: HTTP.Status = 200, at url: URL? = nil, method: HTTP.Method = .get,
    times: Int? = nil
  ) {
    let count = Mutex(0)
    session.on(method, url ?? self.url, times: times) { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .status(status, headers: headers, body: method == .head ? Data() : Data("\(number)".utf8))
    }
  }

  /// Answers the next request with this response.
  func answer(_ status: HTTP.Status, _ headers: HTTP.Headers = [:], _ body: String = "", method: HTTP.Method = .get) {
    session.on(method, url, times: 1, .status(status, headers: headers, body: Data(body.utf8)))
  }

  struct Answer {
    let head: HTTP.Response
    let body: String

    var outcome: HTTP.History.CacheOutcome? { head.history.cacheOutcome }
    var age: String? { head.headers[.age]?.rawValue }
  }
}
