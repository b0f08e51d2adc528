public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Request where Response == HTTP.Response {
  /// Creates a request whose value is the response itself, for every 2xx status.
  ///
  ///     let request = Request<HTTP.Response, APIError>(url: url, responseDelivery: .streamed)
  ///     for try await chunk in try await backend.execute(request).body { … }
  ///
  /// - Parameters:
  ///   - timeout: the maximum duration of one attempt in seconds, as in `URLRequest`. It includes reading the
  ///     body, unless the response is streamed: the limit then ends with the head.
  ///   - responseDelivery: whether the response is delivered with its complete body or as soon as its head arrives.
  public init(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    responseDelivery: ResponseDelivery = .collected
  ) {
    self.init(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout,
      successTransformer: { .success($0.response) })
    self.responseDelivery = responseDelivery
  }
}
