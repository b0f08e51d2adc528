/// A factory that creates an array of the models of another factory.
///
/// Obtained from ``DecodingFactory/array``.
public struct ArrayDecodingFactory<Element: DecodingFactory>: DecodingFactory {
  /// The factory of the elements.
  package let element: Element

  /// Creates a model for each element of the input, in order. A null element is passed to the element's factory.
  ///
  /// - Throws: `DecodingError` if the input is not an array, and errors of the element's factory. Decoding stops at the first error.
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
  /// The factory for arrays of this factory's models.
  public var array: ArrayDecodingFactory<Self> { ArrayDecodingFactory(element: self) }
}
