/// A type whose values can be used as a template variable: a value that can be sent in a path or a query, an array or a dictionary of such
/// values, or an optional.
///
///     try gateway.request(template: "users/{id}/repos{?page,topics*}", ["id": user.id, "page": page, "topics": topics])
public protocol URITemplateVariable {
  /// The value of the variable; `nil` if it is undefined and left out.
  ///
  /// An error is the reason why the value has no text. Creating a request with it fails.
  var uriTemplateValue: URITemplate.Value? { get throws }
}

extension URITemplate.Value: URITemplateVariable {
  /// The value itself.
  public var uriTemplateValue: URITemplate.Value? { self }
}

extension Optional: URITemplateVariable where Wrapped: URITemplateVariable {
  /// The value of the wrapped variable; `nil` for `nil`.
  public var uriTemplateValue: URITemplate.Value? { get throws { try flatMap { try $0.uriTemplateValue } } }
}

extension Array: URITemplateVariable where Element: HTTP.QueryValue {
  /// The texts of the elements.
  public var uriTemplateValue: URITemplate.Value? { get throws { .list(try queryItems) } }
}

extension Dictionary: URITemplateVariable where Key == String, Value: HTTP.QueryValue {
  /// The pairs, sorted by name. Use ``URITemplate/Value/pairs(_:)`` for a different order.
  public var uriTemplateValue: URITemplate.Value? {
    get throws {
      .pairs(
        try sorted { $0.key < $1.key }.flatMap { name, value in
          try value.queryItems.map { URITemplate.Value.Pair(name, $0) }
        })
    }
  }
}
