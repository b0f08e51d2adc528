public import AnvilHTTP

/// A model and the response that it was decoded from.
///
///     let exchange = try await gateway.get("users/\(id)", as: Decoded<User>.self)
///     print(exchange.value.login, exchange.response.headers[.eTag] ?? "")
public struct Decoded<Value: Sendable>: Sendable {
  /// The model.
  public let value: Value
  /// The response, with status, fields, body and history.
  public let response: HTTP.Response

  /// Creates the pair of `value` and `response`.
  public init(value: Value, response: HTTP.Response) {
    self.value = value
    self.response = response
  }
}

extension Decoded: Equatable where Value: Equatable {}
