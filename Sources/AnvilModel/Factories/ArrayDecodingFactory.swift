/// Makes an array of what another factory makes.
///
/// Obtained from ``DecodingFactory/array``.
public struct ArrayDecodingFactory<Element: DecodingFactory>: DecodingFactory {
  /// What makes the elements.
  public let element: Element

  /// One model for each element of the input, in its order.
  ///
  /// - Throws: `DecodingError` when the input is no array, and what the element's factory throws; the first failure ends
  ///   it. A null among the elements is handed to their factory.
  public func create(from decoder: any Decoder) throws -> [Element.Model] {
    var container = try decoder.unkeyedContainer()
    var models: [Element.Model] = []
    while !container.isAtEnd {
      models.append(try container.decode(using: element))
    }
    return models
  }
}

extension ArrayDecodingFactory: Sendable where Element: Sendable {}

extension DecodingFactory {
  /// The factory of arrays of this factory's models, to be passed wherever a factory is asked for.
  public var array: ArrayDecodingFactory<Self> { ArrayDecodingFactory(element: self) }
}
