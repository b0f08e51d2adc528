public import AnvilBase

extension HTTP {
  /// The items of a URL's query, in order and with duplicates.
  ///
  ///     var query: HTTP.Query = ["q": "fish & chips", "labels": ["a", "b"], "page": nil]
  ///     query.add("tag", "ünïque")
  ///     query.percentEncoded         // q=fish%20%26%20chips&labels=a&labels=b&tag=%C3%BCn%C3%AFque
  ///
  /// The values are of types that conform to ``HTTP/QueryValue``. `HTTP.Query(encoding: filter)` creates the items of an `Encodable` value.
  ///
  /// Names and values are arbitrary text. All characters except letters, digits and `-._~` are sent as the `%XX` of their UTF-8 bytes: a
  /// space as `%20` and a plus sign as `%2B`, which every server interprets in the same way.
  ///
  /// Source: RFC 3986 §3.4, §2.3.
  public struct Query: Hashable, Sendable {
    /// A name and its value.
    public struct Item: Hashable, Sendable {
      /// The name.
      public var name: String
      /// The value. `nil` for a name without an equals sign, as in `?verbose`; empty for `?verbose=`.
      public var value: String?
      /// The reason why the value has no text, so that the query cannot be sent.
      fileprivate var problem: String?

      /// Creates the item `name=value`, or `name` if `value` is `nil`.
      public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
      }
    }

    private var items: [Item]

    /// Creates a query of the given items, in their order.
    public init(_ items: some Sequence<Item> = []) {
      self.items = Array(items)
    }

    /// Creates a query with the items of each value, sorted by name so that equal dictionaries create equal queries.
    public init(_ values: [String: some QueryValue]) {
      items = []
      for (name, value) in values.sorted(on: { $0.key }) { add(name, value) }
    }

    /// The reason why the query cannot be sent: a value that has no text, such as a date after the year 9999. `nil` if it can be sent.
    package var problem: String? {
      items.first { $0.problem != nil }.flatMap { item in
        item.problem.map { "the query item \(item.name.shortened(to: 40).quoted) cannot be sent: \($0)" }
      }
    }

    /// Appends `name=value`, even if there already is an item with that name. An array appends an item for each element, and `nil` appends
    /// nothing.
    ///
    /// If the value has no text, such as infinity, executing a request with the query fails with `TransportError.Code.invalidRequest`.
    public mutating func add(_ name: String, _ value: some QueryValue) {
      append(name, value)
    }

    fileprivate mutating func append(_ name: String, _ value: any QueryValue) {
      do {
        for text in try value.queryItems { items.append(Item(name, text)) }
      } catch {
        var item = Item(name, nil)
        item.problem = "\(error)"
        items.append(item)
      }
    }

    /// Appends `name` without a value.
    public mutating func add(_ name: String) {
      items.append(Item(name, nil))
    }

    /// Returns the values of all items named `name`, in order. Items without a value are left out.
    package func values(for name: String) -> [String] {
      items.filter { $0.name.hasSameBytes(as: name) }.compactMap(\.value)
    }

    /// The value of the first item named `name` that has a value.
    ///
    /// Setting a value replaces all items of that name with one, at the position of the first or at the end. Setting `nil` removes them.
    public subscript(_ name: String) -> String? {
      get { items.first { $0.name.hasSameBytes(as: name) && $0.value != nil }?.value }
      set {
        guard let newValue else { return items.removeAll { $0.name.hasSameBytes(as: name) } }
        guard let first = items.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
          return add(name, newValue)
        }
        items[first] = Item(name, newValue)
        items[(first + 1)...].removeAll { $0.name.hasSameBytes(as: name) }
      }
    }

    /// The query as it appears in a URL, without the question mark; empty if there are no items.
    public var percentEncoded: String {
      items.map { item in
        let name = PercentEncoding.encode(item.name)
        return item.value.map { "\(name)=\(PercentEncoding.encode($0))" } ?? name
      }.joined(separator: "&")
    }
  }
}

extension HTTP.Query: RandomAccessCollection {
  /// The position of the first item.
  public var startIndex: Int { items.startIndex }
  /// The position after the last item.
  public var endIndex: Int { items.endIndex }
  /// The item at `position`.
  public subscript(position: Int) -> Item { items[position] }
}

extension HTTP.Query: ExpressibleByDictionaryLiteral {
  /// Creates the items of the literal, in order and with duplicates. An array has an item for each element, and `nil` is left out.
  public init(dictionaryLiteral elements: (String, (any HTTP.QueryValue)?)...) {
    items = []
    for case (let name, let value?) in elements { append(name, value) }
  }
}

extension HTTP.Query: CustomStringConvertible, CustomReflectable {
  /// A mirror without children, so that `dump` does not reveal the values.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The names with redacted values; safe to log.
  public var description: String {
    items.map(\.description).joined(separator: "&")
  }
}

extension HTTP.Query.Item: CustomStringConvertible, CustomReflectable {
  /// A mirror without children, so that `dump` does not reveal the value.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The name with its value redacted; safe to log.
  public var description: String { value == nil ? name : "\(name)=<redacted>" }
}

extension HTTP {
  /// A value that can be sent in a query: text, a number, a Boolean value, a UUID, a URL or a date, an array of such values, or an optional.
  ///
  ///     enum State: String, HTTP.QueryValue { case open, closed }
  ///
  ///     let query: HTTP.Query = ["state": State.open, "labels": ["a", "b"], "since": date, "page": nil]
  ///     // state=open&labels=a&labels=b&since=2026-02-03T04:05:06Z
  ///
  /// - The items of an array have the same name. `nil` and an empty array have no items.
  /// - A date is text as in RFC 3339, in UTC, as in the bodies of the client. Its fraction has zero, three, six or nine digits. A `JSON.Day` is
  ///   the day alone: `2026-02-03`.
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
  /// Dates do not conform, because paths contain days and times in many formats: interpolate a `JSON.Day`, or the text that the server expects.
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
  public var uriTemplateValue: URITemplateValue? { get throws { .init(value: .string(try pathText)) } }
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
  public var uriTemplateValue: URITemplateValue? {
    get throws { try queryItems.first.map { .init(value: .string($0)) } }
  }
}

extension Array: HTTP.QueryValue where Element: HTTP.QueryValue {
  /// The items of all elements, in order.
  public var queryItems: [String] { get throws { try flatMap { try $0.queryItems } } }
}

extension Optional: HTTP.QueryValue where Wrapped: HTTP.QueryValue {
  /// The items of the wrapped value; none for `nil`.
  public var queryItems: [String] { get throws { try self?.queryItems ?? [] } }
}
