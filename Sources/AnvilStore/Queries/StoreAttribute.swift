/// The name of an attribute in conditions and orders: that of its coding key.
///
///     StoreAttribute("age") >= 18 && StoreAttribute("name").hasPrefix("A")
public struct StoreAttribute: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The coding key's text.
  public let name: String

  /// The attribute of this name.
  public init(_ name: String) {
    self.name = name
  }

  /// The attribute of a coding key.
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// The attribute of this name.
  public init(stringLiteral name: String) {
    self.name = name
  }
}

/// By what rows are in order.
public struct StoreOrder: Hashable, Sendable {
  enum Direction: Hashable, Sendable {
    case ascending
    case descending
  }

  let attribute: StoreAttribute
  let direction: Direction

  /// From the least to the greatest; null comes first. Text is compared by its Unicode scalars.
  public static func ascending(_ attribute: StoreAttribute) -> StoreOrder {
    StoreOrder(attribute: attribute, direction: .ascending)
  }

  /// From the greatest to the least; null comes last.
  public static func descending(_ attribute: StoreAttribute) -> StoreOrder {
    StoreOrder(attribute: attribute, direction: .descending)
  }
}
