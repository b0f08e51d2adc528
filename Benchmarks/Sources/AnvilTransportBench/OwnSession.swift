import Anvil
import Foundation
import Rounds

#if canImport(AnvilCurl)
import AnvilCurl
#endif

/// A session of ours, and where its callers run.
struct OwnSession {
  let session: any TransportSession
  /// `nil` for Swift's own threads.
  var executor: (any TaskExecutor)?

  /// Whether this was built with `CurlSession`.
  static var hasCurl: Bool {
    #if canImport(AnvilCurl)
    true
    #else
    false
    #endif
  }

  init(_ contender: Contender, load: Load) throws {
    switch contender {
    case .urlSession: session = URLTransportSession()
    case .curl, .curlExecutor:
      #if canImport(AnvilCurl)
      var configuration = CurlSession.Configuration()
      configuration.httpVersion = load.version == .http1 ? .http1 : .automatic
      configuration.tls.trust = .authorities(.file(URL(filePath: load.authorities)))
      configuration.proxy = .none
      let curl = CurlSession(configuration: configuration)
      session = curl
      if contender == .curlExecutor { executor = curl.executor }
      #else
      throw BenchmarkError("this is built without CurlSession")
      #endif
    case .loop, .netHTTP, .httpx: throw BenchmarkError("\(contender.name) is another program")
    }
  }
}
