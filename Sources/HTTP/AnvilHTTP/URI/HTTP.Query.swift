internal import AnvilBase

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
      self.init([Item]())
      for (name, value) in values.sorted(by: { $0.key < $1.key }) { add(name, value) }
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

    /// Removes every item named `name`.
    public mutating func remove(_ name: String) {
      items.removeAll { $0.name == name }
    }

    /// Returns the values of all items named `name`, in order. Items without a value are left out.
    public func values(for name: String) -> [String] {
      items.filter { $0.name == name }.compactMap(\.value)
    }

    /// The value of the first item named `name` that has a value.
    ///
    /// Setting a value replaces all items of that name with one, at the position of the first or at the end. Setting `nil` removes them.
    public subscript(_ name: String) -> String? {
      get { items.first { $0.name == name && $0.value != nil }?.value }
      set {
        guard let newValue else { return remove(name) }
        guard let first = items.firstIndex(where: { $0.name == name }) else { return add(name, newValue) }
        items[first] = Item(name, newValue)
        items[(first + 1)...].removeAll { $0.name == name }
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
    // Without an argument, this would call itself.
    self.init([Item]())
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
