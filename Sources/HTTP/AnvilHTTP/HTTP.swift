/// A namespace for the types of HTTP: methods, header fields, statuses, bodies, requests and responses.
///
/// Source: RFC 9110 (semantics). The main types also have an alias at module level: `HTTP.Body` is `HTTPBody`.
public enum HTTP {}

/// An alias for ``HTTP/Method``.
public typealias HTTPMethod = HTTP.Method
/// An alias for ``HTTP/Headers``.
public typealias HTTPHeaders = HTTP.Headers
/// An alias for ``HTTP/Status``.
public typealias HTTPStatus = HTTP.Status
/// An alias for ``HTTP/Body``.
public typealias HTTPBody = HTTP.Body
/// An alias for ``HTTP/Request``.
public typealias HTTPRequest = HTTP.Request
/// An alias for ``HTTP/Response``.
public typealias HTTPResponse = HTTP.Response

/// The version of the package, as used by tools and the `User-Agent` field.
package enum AnvilVersion {
  /// The version in the format of Semantic Versioning. Source: semver.org.
  package static let current = "0.1.0"
  /// The date of the last change: the manual page has it, because the time of the build would make each build different.
  package static let date = "2026-11-24"
}
