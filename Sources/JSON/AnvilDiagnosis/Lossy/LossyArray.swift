/// An array that leaves out elements that do not decode, and reports them.
///
///     struct Page: Codable {
///       @LossyArray var users: [User]
///     }
///     page.$users.skippedCount
///
/// An element is left out for any error, however deeply nested, including `null` where the element type does not accept it.
/// A value that is not an array, `null`, and a missing key are errors as for a plain array, because missing data is different
/// from broken data. To accept null and a missing key, write `LossyArray<User>?` or, with
/// `@JSONCodable`, `@CodableDefault([]) @LossyArray`.
///
/// Skipped elements are reported with the code ``DecodingReport/Code/skippedElement``. Encodes as the plain array.
@propertyWrapper
public struct LossyArray<Element> {
  /// The decoded elements, in order.
  public var wrappedValue: [Element]
  /// The number of elements that were left out when the array was decoded.
  public private(set) var skippedCount = 0

  /// Creates an array of `elements`.
  public init(wrappedValue elements: [Element]) { wrappedValue = elements }

  @usableFromInline
  init(_ elements: [Element], skippedCount: Int) {
    wrappedValue = elements
    self.skippedCount = skippedCount
  }

  /// The wrapper itself, which gives access to ``skippedCount``.
  public var projectedValue: LossyArray { self }
}

extension LossyArray: Decodable where Element: Decodable {
  /// Decodes an array and leaves out invalid elements.
  ///
  /// - Throws: `DecodingError` for a value that is not an array.
  public init(from decoder: any Swift.Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var elements: [Element] = []
    var skippedCount = 0
    while !container.isAtEnd {
      // A container does not advance past an element that fails, so each is decoded as a type that never fails.
      if let element = try container.decode(Attempt<Element, ElementPart>.self).value {
        elements.append(element)
      } else {
        skippedCount += 1
      }
    }
    self.init(elements, skippedCount: skippedCount)
  }
}

extension LossyArray: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  ///
  /// - Throws: the error of encoding an element.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension LossyArray: Equatable where Element: Equatable {
  /// Returns true if both arrays have the same elements, regardless of how many were left out.
  public static func == (left: LossyArray, right: LossyArray) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyArray: Hashable where Element: Hashable {
  /// Hashes the elements.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: ExpressibleByArrayLiteral {
  /// Creates an array of `elements`.
  public init(arrayLiteral elements: Element...) { self.init(wrappedValue: elements) }
}
