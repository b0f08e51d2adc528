/// A step that values of one type pass through, such as the requests or the responses of a ``Gateway``.
///
///     struct Signature: Middleware {
///       func process(_ request: HTTP.Request) async throws -> HTTP.Request { … }
///     }
public protocol Middleware<Value>: Sendable {
  /// What passes through.
  associatedtype Value: Sendable

  /// What goes on in the place of `value`.
  ///
  /// - Throws: what the promise behind then fails with.
  func process(_ value: Value) async throws -> Value
}
