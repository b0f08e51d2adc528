import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// A stale response instead of an error. Source: RFC 5861 §4.
@Suite(.timeLimit(.minutes(15)))
struct CacheStaleIfErrorTests {
  /// Returns whether a stale response replaces the failure of a request five seconds after the end of its lifetime.
  private func isReplaced(
    _ response: String, request: HTTP.Headers = [:], _ failure: StubSession.Reply, method: HTTP.Method = .get
  ) async throws -> Bool {
    let service = try CachedService()
    service.answer(200, [.cacheControl: HTTP.HeaderValue(rawValue: response), .eTag: "\"a\""], "body")
    service.session.on(method, service.url, times: 1, failure)
    _ = try await service.send()
    service.time.advance(by: 15)
    let answer: CachedService.Answer
    do {
      answer = try await service.send(method, request)
    } catch is TransportError {
      return false
    }
    guard answer.head.code == 200 else { return false }
    #expect(answer.outcome == .stale)
    #expect(answer.body == (method == .head ? "" : "body"))
    #expect(answer.age == "15")
    // RFC 9111 §5.5 made this field obsolete.
    #expect(!answer.head.headers.contains("Warning"))
    return true
  }

  @Test(arguments: [
    ("max-age=10, stale-if-error=5", true), ("max-age=10, stale-if-error=4", false), ("max-age=10", false),
    ("max-age=10, stale-if-error=x", false), ("max-age=10, stale-if-error=100, must-revalidate", false),
    ("no-cache, stale-if-error=100", false), ("max-age=10, Stale-If-Error=\"60\"", true),
    ("max-age=0, stale-if-error=15", true),
  ])
  func k8_staleIfErrorReplacesAnError(cacheControl: String, isReplaced: Bool) async throws {
    for code in [500, 502, 503, 504] {
      #expect(try await self.isReplaced(cacheControl, .status(HTTP.Status(code: code))) == isReplaced)
      #expect(try await self.isReplaced(cacheControl, .status(HTTP.Status(code: code)), method: .head) == isReplaced)
    }
    for code: TransportError.Code in [.noConnection, .hostNotFound, .connectionLost, .timedOut, .malformedResponse] {
      #expect(try await self.isReplaced(cacheControl, .failure(TransportError(code: code))) == isReplaced)
    }
    #expect(
      try await self.isReplaced(
        cacheControl, .failure(TransportError(code: .noConnection)), method: .head) == isReplaced)
  }

  @Test func k8_onlyServerAndConnectionErrorsAreReplaced() async throws {
    let allowed = "max-age=10, stale-if-error=100"
    for code in [400, 401, 404, 429] {
      #expect(try await !isReplaced(allowed, .status(HTTP.Status(code: code))))
      #expect(try await !isReplaced(allowed, .status(HTTP.Status(code: code)), method: .head))
    }
    for code: TransportError.Code in [.cancelled, .invalidRequest, .requestBodyFailed] {
      #expect(try await !isReplaced(allowed, .failure(TransportError(code: code))))
    }
  }

  @Test func k8_theRequestMayAllowStaleIfError() async throws {
    #expect(try await isReplaced("max-age=10", request: [.cacheControl: "stale-if-error=60"], .status(500)))
    #expect(
      try await !isReplaced(
        "max-age=10, must-revalidate", request: [.cacheControl: "stale-if-error=60"], .status(500)))
    let allowed = "max-age=10, stale-if-error=100"
    #expect(try await !isReplaced(allowed, request: [.cacheControl: "no-cache"], .status(500)))
    #expect(try await !isReplaced(allowed, request: [.cacheControl: "max-age=0"], .status(500)))
  }
}
