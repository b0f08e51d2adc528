internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Headers {
  /// A new `Idempotency-Key` where `policy` asks for one and there is none; `nil` otherwise.
  ///
  /// Source: the HTTP API working group's Idempotency-Key draft: a string of structured fields.
  func missingIdempotencyKey(by policy: RequestPolicy) -> HTTP.HeaderValue? {
    guard policy.idempotency == .keyed, !contains(.idempotencyKey) else { return nil }
    return HTTP.HeaderValue(rawValue: "\"\(UUID().uuidString)\"")
  }
}
