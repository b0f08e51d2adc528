internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Headers {
  /// Returns a new `Idempotency-Key` if `settings` require one and the headers do not contain one; otherwise `nil`.
  ///
  /// Source: the HTTP API working group's Idempotency-Key draft, which defines the value as a structured field string.
  func missingIdempotencyKey(by settings: RequestSettings) -> HTTP.HeaderValue? {
    guard settings.idempotency == .keyed, !contains(.idempotencyKey) else { return nil }
    return HTTP.HeaderValue(rawValue: "\"\(UUID().uuidString)\"")
  }
}
