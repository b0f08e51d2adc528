#if os(Linux)
import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// Proxies of the environment, which belongs to the whole process: the test runs in a separate one.
@Suite(.timeLimit(.minutes(15))) struct EnvironmentProxyTests {
  @Test func noErrorQuotesAnInvalidProxy() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      server.on(.get, "/*") { .text("origin \($0.path)") }
      let texts = [
        "http://smith:p#7Word@127.0.0.1:1", "http://smith:p/7Word@127.0.0.1:1", "http://smith:p@7Word@127.0.0.1:1",
        "http://smith:p 7Word@127.0.0.1:1", "smith:p?7Word@127.0.0.1:1", "http://smith:p7Word@127.0.0.1:99999",
        "ftp://smith:p7Word@127.0.0.1:1", "http://smith:12#7Word@127.0.0.1:1", "http://127.0.0.1:1/7Word@",
        "http://smith:7Word@a..b:1", "smith:7Word@.a:1", "http://smith:7Word@256.1.1.1:1", "http://smith:7Word@[:::]:1",
        // libcurl connects directly, and with a part of the URL.
        "http://smith:7Word%01@127.0.0.1:1", "http://127.0.0.1:1#7Word@127.0.0.1:9",
        // libcurl takes the first part for the host.
        "http://7Word#smith:1", "http://7Word/@127.0.0.1:1", "7Word/smith",
      ]
      for name in ["no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY"] {
        Environment.set(name, nil)
      }
      for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
        for text in texts {
          Environment.set(name, text)
          var request = HTTP.Request(url: try #require(URL(string: "http://origin.invalid/x")))
          request.headers[.authorization] = "Bearer 7Word"
          let error = await #expect(throws: TransportError.self) {
            _ = try await URLTransportSession().send(request, options: TransportOptions(timeout: .seconds(60)))
          }
          #expect(error?.code == .invalidRequest, "\(text): \(error.debugDescription)")
          for shown in ["\(error as Any)", "\(error?.reason ?? "")", "\(error?.underlyingError as Any)"] {
            #expect(!shown.contains("7Word") && !shown.contains("smith"), "\(shown)")
          }
          // A host that no_proxy excludes does not need the proxy.
          Environment.set("no_proxy", "127.0.0.1")
          let direct = HTTP.Request(url: server.url("/y"))
          #expect(try await URLTransportSession().send(direct, options: TransportOptions()).head.code == 200)
          let refused = HTTP.Request(url: try #require(URL(string: "http://127.0.0.1:1/")))
          let reason = await #expect(throws: TransportError.self) {
            _ = try await URLTransportSession().send(refused, options: TransportOptions(timeout: .seconds(60)))
          }
          #expect(reason?.code == .noConnection, "\(reason.debugDescription)")
          Environment.set("no_proxy", nil)
        }
        Environment.set(name, nil)
      }
    }
  }

  /// libcurl reads `no_proxy` itself. Where it uses the proxy, the error must not be left to it.
  @Test func hostsThatTheLibraryDoesNotExcludeAreNotExcluded() async {
    await #expect(processExitsWith: .success) {
      for name in ["no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY"] {
        Environment.set(name, nil)
      }
      Environment.set("http_proxy", "http://7Word/@127.0.0.1:3128")
      for list in ["*,x", "x,*", "* x", "*.invalid", "rigin.invalid", ".0.0.1"] {
        Environment.set("no_proxy", list)
        let text = list == ".0.0.1" ? "http://127.0.0.1:1/" : "http://origin.invalid/"
        let request = HTTP.Request(url: try #require(URL(string: text)))
        let error = await #expect(throws: TransportError.self) {
          _ = try await URLTransportSession().send(request, options: TransportOptions(timeout: .seconds(60)))
        }
        #expect(error?.code == .invalidRequest, "\(list): \(error.debugDescription)")
        #expect(!"\(error as Any)".contains("7Word"))
      }
      let server = try LoopbackServer()
      server.on(.get, "/") { _ in .text("origin") }
      for list in ["*", "127.0.0.1", "x, 127.0.0.1"] {
        Environment.set("no_proxy", list)
        let direct = HTTP.Request(url: server.url)
        #expect(try await URLTransportSession().send(direct, options: TransportOptions()).head.code == 200)
      }
    }
  }

  /// Foundation's errors contain the URL of the request.
  @Test func theUnderlyingErrorDoesNotContainTheURL() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/?token=7Word"))
    let error = await #expect(throws: TransportError.self) {
      _ = try await URLTransportSession().send(HTTP.Request(url: url), options: TransportOptions())
    }
    #expect(error?.code == .noConnection)
    let shown = "\(error?.underlyingError as Any)"
    #expect(!shown.contains("7Word"), "\(shown)")
  }
}
#endif
