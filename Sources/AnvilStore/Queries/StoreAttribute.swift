/// The name of an attribute in predicates and orders, which is the name of its coding key.
///
///     StoreAttribute("age") >= 18 && StoreAttribute("name").hasPrefix("A")
public struct StoreAttribute: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The text of the coding key.
  package let name: String

  /// Creates an attribute with this name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates an attribute from a coding key.
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// Creates an attribute with this name.
  public init(stringLiteral name: String) {
    self.name = name
  }
}

/// A sort order of rows by one attribute.
public struct StoreOrder: Hashable, Sendable {
  enum Direction: Hashable, Sendable {
    case ascending
    case descending
  }

  let attribute: StoreAttribute
  let direction: Direction

  /// Returns the order from the least to the greatest value; null comes first. Text is compared by its Unicode scalars.
  public static func ascending(_ attribute: StoreAttribute) -> StoreOrder {
    StoreOrder(attribute: attribute, direction: .ascending)
  }

  /// Returns the order from the greatest to the least value; null comes last.
  public static func descending(_ attribute: StoreAttribute) -> StoreOrder {
    StoreOrder(attribute: attribute, direction: .descending)
  }
}
