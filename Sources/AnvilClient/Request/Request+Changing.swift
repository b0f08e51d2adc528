public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Request {
  /// The request with the fields of `additionalHeaders`; a name that it has replaces the request's own lines.
  public func addingHeaders(_ additionalHeaders: HTTP.Headers) -> Request {
    usingHeaders(headers.merging(additionalHeaders))
  }

  /// The request with `headers` in place of its own.
  public func usingHeaders(_ headers: HTTP.Headers) -> Request {
    with { $0.headers = headers }
  }

  /// The request for `url`.
  public func usingURL(_ url: URL) -> Request {
    with { $0.url = url }
  }

  /// The request with `body`.
  public func usingBody(_ body: HTTP.Body) -> Request {
    with { $0.body = body }
  }

  private func with(_ change: (inout Request) -> Void) -> Request {
    var copy = self
    change(&copy)
    return copy
  }
}
