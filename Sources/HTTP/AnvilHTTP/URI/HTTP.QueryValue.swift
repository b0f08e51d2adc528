internal import AnvilBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// A value that can be sent in a query: text, a number, a Boolean value, a UUID, a URL or a date, an array of such values, or an optional.
  ///
  ///     enum State: String, HTTP.QueryValue { case open, closed }
  ///
  ///     let query: HTTP.Query = ["state": State.open, "labels": ["a", "b"], "since": date, "page": nil]
  ///     // state=open&labels=a&labels=b&since=2026-02-03T04:05:06Z
  ///
  /// - The items of an array have the same name. `nil` and an empty array have no items.
  /// - A date is text as in RFC 3339, in UTC, as in the bodies of the client. Its fraction has zero, three, six or nine digits.
  /// - A type with a raw value of one of these types needs only the conformance.
  public protocol QueryValue {
    /// The texts of the items that have this value: one for a single value, any number for an array.
    ///
    /// If it throws an error, executing a request with the query fails with `TransportError.Code.invalidRequest`.
    var queryItems: [String] { get throws }
  }

  /// A value that can be interpolated in a path, be a segment of it, or be sent in a query: text, a number, a Boolean value, a UUID or a URL.
  ///
  ///     struct UserID: HTTP.PathValue {
  ///       var number: Int
  ///       var pathText: String { "u\(number)" }
  ///     }
  ///
  /// A type with a raw value of one of these types, and a type that conforms to `LosslessStringConvertible`, need only the conformance.
  /// Dates do not conform, because paths contain days and times in many formats: interpolate the text that the server expects.
  public protocol PathValue: QueryValue, URITemplateVariable {
    /// The text of the value, which is not yet percent-encoded.
    ///
    /// If it throws an error, executing a request with the path fails with `TransportError.Code.invalidRequest`.
    var pathText: String { get throws }
  }

  /// The reason why a value has no text in a URL.
  struct UnwritableValue: Error, CustomStringConvertible {
    let description: String

    static var notFinite: UnwritableValue { UnwritableValue(description: "the number is not finite") }
  }
}

extension HTTP.PathValue {
  /// The text of the value as a single item.
  public var queryItems: [String] { get throws { [try pathText] } }
  /// The text of the value as a single value.
  public var uriTemplateValue: URITemplate.Value? { get throws { .string(try pathText) } }
}

extension HTTP.QueryValue where Self: RawRepresentable, RawValue: HTTP.QueryValue {
  /// The items of the raw value.
  public var queryItems: [String] { get throws { try rawValue.queryItems } }
}

extension HTTP.PathValue where Self: RawRepresentable, RawValue: HTTP.PathValue {
  /// The text of the raw value.
  public var pathText: String { get throws { try rawValue.pathText } }
  /// The text of the raw value as a single item.
  public var queryItems: [String] { get throws { [try rawValue.pathText] } }
}

// MARK: Text and numbers

extension String: HTTP.PathValue {
  /// The string itself.
  public var pathText: String { self }
}

extension Substring: HTTP.PathValue {}
extension Bool: HTTP.PathValue {}
extension Int: HTTP.PathValue {}
extension Int8: HTTP.PathValue {}
extension Int16: HTTP.PathValue {}
extension Int32: HTTP.PathValue {}
extension Int64: HTTP.PathValue {}
extension Int128: HTTP.PathValue {}
extension UInt: HTTP.PathValue {}
extension UInt8: HTTP.PathValue {}
extension UInt16: HTTP.PathValue {}
extension UInt32: HTTP.PathValue {}
extension UInt64: HTTP.PathValue {}
extension UInt128: HTTP.PathValue {}

extension HTTP.PathValue where Self: LosslessStringConvertible {
  /// The text from which the value can be created again, such as `7` or `true`.
  public var pathText: String { get throws { description } }
}

extension Double: HTTP.PathValue {}
extension Float: HTTP.PathValue {}

extension HTTP.PathValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
  /// The shortest decimal number with this value, such as `0.5` or `1e-07`.
  ///
  /// - Throws: an error for infinity and NaN.
  public var pathText: String {
    get throws {
      guard isFinite else { throw HTTP.UnwritableValue.notFinite }
      return description
    }
  }
}

extension Decimal: HTTP.PathValue {
  /// The decimal number.
  ///
  /// - Throws: an error for NaN.
  public var pathText: String {
    get throws {
      guard isFinite else { throw HTTP.UnwritableValue.notFinite }
      return description
    }
  }
}

extension UUID: HTTP.PathValue {
  /// The UUID in upper case, with hyphens.
  public var pathText: String { uuidString }
}

extension URL: HTTP.PathValue {
  /// The complete text of the URL.
  public var pathText: String { absoluteString }
}

// MARK: Other values of queries

extension Date: HTTP.QueryValue, URITemplateVariable {
  /// The date in UTC as in RFC 3339: `2026-02-03T04:05:06Z`. The fraction of the second has zero, three, six or nine digits: the fewest that
  /// preserve the date.
  ///
  /// - Throws: an error for dates before the year 0 or after 9999.
  public var queryItems: [String] {
    get throws {
      guard let date = WrittenDate(secondsSince2001: timeIntervalSinceReferenceDate) else {
        throw HTTP.UnwritableValue(description: "the date is not in the years 0 to 9999")
      }
      return [date.text]
    }
  }

  /// The date as in a query.
  public var uriTemplateValue: URITemplate.Value? { get throws { try queryItems.first.map { .string($0) } } }
}

extension Array: HTTP.QueryValue where Element: HTTP.QueryValue {
  /// The items of all elements, in order.
  public var queryItems: [String] { get throws { try flatMap { try $0.queryItems } } }
}

extension Optional: HTTP.QueryValue where Wrapped: HTTP.QueryValue {
  /// The items of the wrapped value; none for `nil`.
  public var queryItems: [String] { get throws { try self?.queryItems ?? [] } }
}
