internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Headers {
  /// Adds a new `Idempotency-Key` where `policy` asks for one and there is none.
  ///
  /// Source: the HTTP API working group's Idempotency-Key draft: a string of structured fields.
  mutating func addIdempotencyKey(by policy: RequestPolicy) {
    guard policy.idempotency == .keyed, !contains(.idempotencyKey) else { return }
    add(.idempotencyKey, HTTP.HeaderValue(rawValue: "\"\(UUID().uuidString)\""))
  }
}
