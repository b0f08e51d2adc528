import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// The history of a response contains all attempts, whichever interceptor sent the next request.
@Suite(.timeLimit(.minutes(15))) struct FollowUpHistoryTests {
  /// A retry that marks each exchange as the second attempt.
  private struct Trying: Interceptor {
    func intercept(
      _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
    ) async throws(TransportError) -> TransportResponse {
      let code = Int(request.url.lastPathComponent) ?? 500
      let attempt = HTTP.History.Attempt(outcome: .status(HTTP.Status(code: code)), delay: .zero)
      do throws(TransportError) {
        var response = try await next.send(request, options: options)
        response.head.history.attempts = [attempt]
        return response
      } catch {
        var error = error
        error.history.attempts = [attempt]
        throw error
      }
    }
  }

  @Test func d7_theHistoryContainsTheAttemptsOfAllRedirects() async throws {
    let session = StubSession { Issue.record($0) }
    let first = try #require(URL(string: "https://a.example/501"))
    let second = try #require(URL(string: "https://a.example/502"))
    let third = try #require(URL(string: "https://a.example/503"))
    let digest: HTTP.Headers = [.wwwAuthenticate: "Digest realm=r, nonce=n, qop=auth"]
    session.on(.get, first, .status(302, headers: [.location: "/502"]))
    session.on(.get, second, times: 1, .status(401, headers: digest))
    session.on(.get, second, .status(302, headers: [.location: "/503"]))
    session.on(.get, third, times: 1, .status(200))
    session.on(.get, third, .failure(TransportError(code: .connectionLost)))
    let origin = try #require(HTTP.Origin(first))
    let authentication = AuthenticationInterceptor(
      credentials: [origin: try .digest(username: "a", password: "b")])
    let service = TransportService(
      session: session, interceptors: [RedirectInterceptor(), authentication, Trying(), ProofInterceptor()])
    let history = try await service.execute(HTTP.Request(url: first)).get().response.history
    #expect(history.attempts.map(\.code) == [501, 502, 502, 503])
    #expect(history.redirections.map(\.url) == [first, second])
    let failure = await service.execute(HTTP.Request(url: first)).failure
    #expect(failure?.error.code == .connectionLost)
    #expect(failure?.history.attempts.map(\.code) == [501, 502, 503])
  }
}

extension HTTP.History.Attempt {
  fileprivate var code: Int? { if case .status(let status) = outcome { status.code } else { nil } }
}
