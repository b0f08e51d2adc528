/// The functions that generated code calls and that belong to no type. The underscore keeps them out of code completion and documentation.
public enum _Expansion {}

/// A strategy for containers whose elements are coded by another strategy.
public struct _ContainerStrategy<Value, Coded: Codable & JSONReadable & JSONWritable>: CodableStrategy {
  let decode: @Sendable (Coded) throws -> Value
  let encode: @Sendable (Value) throws -> Coded

  /// Returns the container of the values of the coded elements.
  ///
  /// - Throws: The error that the other strategy throws for an element.
  public func value(from coded: Coded) throws -> Value { try decode(coded) }

  /// Returns the container of the coded form of each element.
  ///
  /// - Throws: The error that the other strategy throws for an element.
  public func coded(_ value: Value) throws -> Coded { try encode(value) }
}

/// The coded form of an element. An element of a document that is still coming may not be complete.
public struct _CodedElement<Coded: Codable & JSONReadable & JSONWritable>: Codable, JSONReadable, JSONWritable {
  private let coded: Coded
  private let isOpen: Bool

  init(_ coded: Coded) {
    self.coded = coded
    isOpen = false
  }

  /// Decodes the coded form.
  public init(from decoder: any Decoder) throws {
    coded = try decoder.singleValueContainer().decode(Coded.self)
    isOpen = decoder.isAtOpenValue
  }

  /// Encodes the coded form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(coded)
  }

  /// Reads the coded form.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    try Self(Coded.read(from: &reader))
  }

  /// Writes the coded form.
  public func write(to writer: inout JSON.Writer) { coded.write(to: &writer) }

  /// Returns the value; `nil` if `strategy` rejects an element that is not complete.
  func value<Strategy: CodableStrategy>(by strategy: Strategy) throws -> Strategy.Value? where Strategy.Coded == Coded {
    do {
      return try strategy.value(from: coded)
    } catch {
      guard isOpen else { throw error }
      return nil
    }
  }
}

extension CodableStrategy {
  fileprivate func element(_ value: Value) throws -> _CodedElement<Coded> { _CodedElement(try coded(value)) }
}

// For a property of type [String: [Date]] with @CodableBy, the macro nests a call of `strategy(_:for:)` for each container around the innermost
// type. At each of them, the compiler chooses the overload for a strategy of the elements, or the last one if the strategy is already one of the
// container itself.
extension _Expansion {
  /// Returns a strategy for arrays whose elements are coded by `strategy`.
  public static func strategy<Strategy: CodableStrategy>(
    _ strategy: Strategy, for type: [Strategy.Value].Type
  ) -> _ContainerStrategy<[Strategy.Value], [_CodedElement<Strategy.Coded>]> {
    _ContainerStrategy(
      decode: { try $0.compactMap { try $0.value(by: strategy) } }, encode: { try $0.map(strategy.element) })
  }

  /// Returns a strategy for sets whose elements are coded by `strategy`. The coded form is an array, in the order of the set.
  public static func strategy<Strategy: CodableStrategy>(
    _ strategy: Strategy, for type: Set<Strategy.Value>.Type
  ) -> _ContainerStrategy<Set<Strategy.Value>, [_CodedElement<Strategy.Coded>]> {
    _ContainerStrategy(
      decode: { Set(try $0.compactMap { try $0.value(by: strategy) }) }, encode: { try $0.map(strategy.element) })
  }

  /// Returns a strategy for dictionaries whose values are coded by `strategy`.
  public static func strategy<Strategy: CodableStrategy>(
    _ strategy: Strategy, for type: [String: Strategy.Value].Type
  ) -> _ContainerStrategy<[String: Strategy.Value], [String: _CodedElement<Strategy.Coded>]> {
    _ContainerStrategy(
      decode: { try $0.compactMapValues { try $0.value(by: strategy) } }, encode: { try $0.mapValues(strategy.element) }
    )
  }

  /// Returns a strategy for values that are `null`, or are coded by `strategy`.
  public static func strategy<Strategy: CodableStrategy>(
    _ strategy: Strategy, for type: Strategy.Value?.Type
  ) -> _ContainerStrategy<Strategy.Value?, Strategy.Coded?> {
    _ContainerStrategy(decode: { try $0.map(strategy.value) }, encode: { try $0.map(strategy.coded) })
  }

  /// Returns `strategy`, which is one for values of `type`.
  @_disfavoredOverload
  public static func strategy<Strategy: CodableStrategy, Value>(_ strategy: Strategy, for type: Value.Type) -> Strategy
  {
    strategy
  }
}
