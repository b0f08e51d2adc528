import Anvil
import Foundation
import Synchronization

/// Runs code before the first request whose URL contains a text.
final class BeforeRequest: Interceptor {
  private let text: String
  private let body: @Sendable () async -> Void
  private let hasRun = Mutex(false)

  init(_ text: String, _ body: @escaping @Sendable () async -> Void) {
    self.text = text
    self.body = body
  }

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let isFirst =
      request.url.absoluteString.contains(text)
      && hasRun.withLock { hasRun in
        defer { hasRun = true }
        return !hasRun
      }
    if isFirst { await body() }
    return try await next.send(request, options: options)
  }
}
