#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type whose values can be used as a template variable: text, numbers, Booleans, UUIDs, arrays and dictionaries of them, and optionals.
///
///     try gateway.request(template: "users/{id}/repos{?page,topics*}", ["id": user.id, "page": page, "topics": topics])
public protocol URITemplateVariable {
  /// The value of the variable; `nil` if it is undefined and left out.
  var uriTemplateValue: URITemplate.Value? { get }
}

extension URITemplateVariable where Self: CustomStringConvertible {
  /// The description as a single value.
  public var uriTemplateValue: URITemplate.Value? { .string(description) }
}

extension String: URITemplateVariable {}
extension Substring: URITemplateVariable {}
extension Bool: URITemplateVariable {}
extension Int: URITemplateVariable {}
extension Int32: URITemplateVariable {}
extension Int64: URITemplateVariable {}
extension UInt: URITemplateVariable {}
extension UInt32: URITemplateVariable {}
extension UInt64: URITemplateVariable {}
extension Double: URITemplateVariable {}
extension UUID: URITemplateVariable {}

extension URITemplate.Value: URITemplateVariable {
  /// The value itself.
  public var uriTemplateValue: URITemplate.Value? { self }
}

extension Optional: URITemplateVariable where Wrapped: URITemplateVariable {
  /// The value of the wrapped variable; `nil` for `nil`.
  public var uriTemplateValue: URITemplate.Value? { flatMap(\.uriTemplateValue) }
}

extension Array: URITemplateVariable where Element: CustomStringConvertible {
  /// The descriptions of the elements.
  public var uriTemplateValue: URITemplate.Value? { .list(map(\.description)) }
}

extension Dictionary: URITemplateVariable where Key == String, Value: CustomStringConvertible {
  /// The pairs, sorted by name. Use ``URITemplate/Value/pairs(_:)`` for a different order.
  public var uriTemplateValue: URITemplate.Value? {
    .pairs(sorted { $0.key < $1.key }.map { .init($0.key, $0.value.description) })
  }
}
