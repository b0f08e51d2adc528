/// An array that leaves out the elements that do not decode, and reports them.
///
///     struct Page: Codable {
///       @LossyArray var users: [User]
///     }
///     page.$users.skippedCount
///
/// An element is left out whatever is wrong with it, however deep inside, `null` included where the type has none. What is
/// no array at all, `null`, and a missing key are errors as for a plain array: that nothing was sent is another thing than
/// that it is broken. Write `@Default.Empty @LossyArray` where they stand for none, or `LossyArray<User>?`.
///
/// Reported with the code ``DecodingReport/Code/skippedElement``. Encodes as the plain array.
@propertyWrapper
public struct LossyArray<Element> {
  /// The elements that did decode, in their order.
  public var wrappedValue: [Element]
  /// How many were left out when the array was decoded.
  public private(set) var skippedCount = 0

  /// An array of `elements`.
  public init(wrappedValue elements: [Element]) { wrappedValue = elements }

  /// The array itself, for its ``skippedCount``.
  public var projectedValue: LossyArray { self }
}

extension LossyArray: Decodable where Element: Decodable {
  /// The elements that decode.
  ///
  /// - Throws: `DecodingError` for what is no array.
  public init(from decoder: any Swift.Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var elements: [Element] = []
    var skippedCount = 0
    while !container.isAtEnd {
      // The first thing that decodes whatever is there: a container stays at an element that fails.
      if let element = try container.decode(Attempt<Element, ElementPart>.self).value {
        elements.append(element)
      } else {
        skippedCount += 1
      }
    }
    wrappedValue = elements
    self.skippedCount = skippedCount
  }
}

extension LossyArray: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  ///
  /// - Throws: what encoding an element throws.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension LossyArray: Equatable where Element: Equatable {
  /// Whether both have the same elements, whatever was left out.
  public static func == (left: LossyArray, right: LossyArray) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyArray: Hashable where Element: Hashable {
  /// Feeds the elements.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: ExpressibleByArrayLiteral {
  /// An array of `elements`.
  public init(arrayLiteral elements: Element...) { self.init(wrappedValue: elements) }
}
