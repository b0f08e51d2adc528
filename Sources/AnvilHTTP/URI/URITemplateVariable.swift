#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be put in the place of a template's variable: text, numbers, lists of them, and nothing.
///
///     try gateway.request(template: "users/{id}/repos{?page,topics*}", ["id": user.id, "page": page, "topics": topics])
public protocol URITemplateVariable {
  /// What the variable stands for; `nil` where it has no value and is left out.
  var uriTemplateValue: URITemplate.Value? { get }
}

extension URITemplateVariable where Self: CustomStringConvertible {
  /// The description.
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
  /// Itself.
  public var uriTemplateValue: URITemplate.Value? { self }
}

extension Optional: URITemplateVariable where Wrapped: URITemplateVariable {
  /// That of the value, if there is one.
  public var uriTemplateValue: URITemplate.Value? { flatMap(\.uriTemplateValue) }
}

extension Array: URITemplateVariable where Element: CustomStringConvertible {
  /// The descriptions of the elements.
  public var uriTemplateValue: URITemplate.Value? { .list(map(\.description)) }
}

extension Dictionary: URITemplateVariable where Key == String, Value: CustomStringConvertible {
  /// The pairs in the order of their names; ``URITemplate/Value/pairs(_:)`` has an order of its own.
  public var uriTemplateValue: URITemplate.Value? {
    .pairs(sorted { $0.key < $1.key }.map { .init($0.key, $0.value.description) })
  }
}
