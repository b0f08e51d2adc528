internal import AnvilText

extension HTTP {
  /// The items of a URL's query, in order and with duplicates.
  ///
  ///     var query: HTTP.Query = ["q": "fish & chips", "page": 2]
  ///     query.add("tag", "ünïque")
  ///     query.percentEncoded         // q=fish%20%26%20chips&page=2&tag=%C3%BCn%C3%AFque
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

    /// Creates a query with an item for each value, sorted by name so that equal dictionaries create equal queries.
    public init(_ values: [String: some CustomStringConvertible]) {
      items = values.map { Item($0, $1.description) }.sorted { $0.name < $1.name }
    }

    /// Appends `name=value`, even if there already is an item with that name.
    public mutating func add(_ name: String, _ value: some CustomStringConvertible) {
      items.append(Item(name, value.description))
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
        items[first].value = newValue
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
  /// Creates the items of the literal, in order and with duplicates. A value is its description; an item with the value `nil` is left out.
  public init(dictionaryLiteral elements: (String, (any CustomStringConvertible)?)...) {
    self.init(elements.compactMap { name, value in value.map { Item(name, $0.description) } })
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
