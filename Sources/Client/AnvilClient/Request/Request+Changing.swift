public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Request {
  /// Returns the request with `additionalHeaders` added. A field in `additionalHeaders` replaces the request's fields of the same name.
  public func addingHeaders(_ additionalHeaders: HTTP.Headers) -> Request {
    usingHeaders(headers.merging(additionalHeaders))
  }

  /// Returns the request with `headers` instead of its current fields.
  public func usingHeaders(_ headers: HTTP.Headers) -> Request {
    with { $0.headers = headers }
  }

  /// Returns the request with the URL `url`.
  public func usingURL(_ url: URL) -> Request {
    with { $0.url = url }
  }

  /// Returns the request with `body`.
  public func usingBody(_ body: HTTP.Body) -> Request {
    with { $0.body = body }
  }

  private func with(_ change: (inout Request) -> Void) -> Request {
    var copy = self
    change(&copy)
    return copy
  }
}
