extension HTTP {
  /// The items of a URL's query, in their order, with duplicates.
  ///
  ///     var query: HTTP.Query = ["q": "fish & chips", "page": 2]
  ///     query.add("tag", "ünïque")
  ///     query.percentEncoded         // q=fish%20%26%20chips&page=2&tag=%C3%BCn%C3%AFque
  ///
  /// Names and values are any text: everything but letters, digits and `-._~` is sent as `%XX` of its UTF-8 bytes, a space
  /// as `%20` and a plus sign as `%2B`, which every server reads in one way.
  ///
  /// Source: RFC 3986 §3.4, §2.3.
  public struct Query: Hashable, Sendable {
    /// A name and its value.
    public struct Item: Hashable, Sendable {
      /// The name.
      public var name: String
      /// The value: `nil` for a name by itself, as in `?verbose`, and empty for a name that is assigned nothing.
      public var value: String?

      /// `name=value`, or `name` alone.
      public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
      }
    }

    private var items: [Item]

    /// The items of `items`, in their order.
    public init(_ items: some Sequence<Item> = []) {
      self.items = Array(items)
    }

    /// Creates an item of each value, sorted by name so that equal dictionaries make equal queries.
    public init(_ values: [String: some CustomStringConvertible]) {
      items = values.map { Item($0, $1.description) }.sorted { $0.name < $1.name }
    }

    /// Appends `name=value`, whether or not there is an item of that name already.
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

    /// The values of all items named `name`, in their order.
    public func values(for name: String) -> [String] {
      items.filter { $0.name == name }.compactMap(\.value)
    }

    /// The value of the first item named `name` that has one.
    ///
    /// Setting leaves one item, where the first stood or at the end; setting `nil` removes all.
    public subscript(_ name: String) -> String? {
      get { items.first { $0.name == name && $0.value != nil }?.value }
      set {
        guard let newValue else { return remove(name) }
        guard let first = items.firstIndex(where: { $0.name == name }) else { return add(name, newValue) }
        items[first].value = newValue
        items[(first + 1)...].removeAll { $0.name == name }
      }
    }

    /// The query as it stands in a URL, without the question mark; empty when there are no items.
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
  /// Creates the items of the literal, in its order, duplicates kept; values are what describes them. `nil` leaves the item out.
  public init(dictionaryLiteral elements: (String, (any CustomStringConvertible)?)...) {
    self.init(elements.compactMap { name, value in value.map { Item(name, $0.description) } })
  }
}

extension HTTP.Query: CustomStringConvertible, CustomReflectable {
  /// A mirror without children, so that `dump` does not show the values.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The names, each with its value redacted: safe to log.
  public var description: String {
    items.map(\.description).joined(separator: "&")
  }
}

extension HTTP.Query.Item: CustomStringConvertible, CustomReflectable {
  /// A mirror without children, so that `dump` does not show the value.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The name, its value redacted: safe to log.
  public var description: String { value == nil ? name : "\(name)=<redacted>" }
}
