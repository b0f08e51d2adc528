import Anvil
import AnvilCurl
import AnvilURLSession
import Foundation
import Rounds

/// A session of Anvil, and the executor of its callers.
struct OwnSession {
  let session: any TransportSession
  /// `nil` for Swift's threads.
  var executor: (any TaskExecutor)?

  init(_ contender: Contender, load: Load) throws {
    switch contender {
    case .urlSession: session = URLTransportSession()
    case .memory: session = MemorySession()
    case .curl, .curlExecutor:
      var configuration = CurlSession.Configuration()
      configuration.httpVersion = load.version == .http1 ? .http1 : .automatic
      configuration.tls.trust = .authorities(.file(URL(filePath: load.authorities)))
      configuration.proxy = .none
      let curl = CurlSession(configuration: configuration)
      session = curl
      if contender == .curlExecutor { executor = curl.executor }
    case .loop, .netHTTP, .httpx: throw BenchmarkError("\(contender.name) is another program")
    }
  }
}
