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

// For a property of type [String: [Date]] with @CodableBy, the macro nests a call of `strategy(_:for:)` for each container around the innermost
// type. At each of them, the compiler chooses the overload for a strategy of the elements, or the last one if the strategy is already one of the
// container itself.
extension _Expansion {
  /// Returns a strategy for arrays whose elements are coded by `strategy`.
  public static func strategy<Strategy: CodableStrategy>(
    _ strategy: Strategy, for type: [Strategy.Value].Type
  ) -> _ContainerStrategy<[Strategy.Value], [Strategy.Coded]> {
    _ContainerStrategy(decode: { try $0.map(strategy.value) }, encode: { try $0.map(strategy.coded) })
  }

  /// Returns a strategy for sets whose elements are coded by `strategy`. The coded form is an array, in the order of the set.
  public static func strategy<Strategy: CodableStrategy>(
    _ strategy: Strategy, for type: Set<Strategy.Value>.Type
  ) -> _ContainerStrategy<Set<Strategy.Value>, [Strategy.Coded]> {
    _ContainerStrategy(decode: { Set(try $0.map(strategy.value)) }, encode: { try $0.map(strategy.coded) })
  }

  /// Returns a strategy for dictionaries whose values are coded by `strategy`.
  public static func strategy<Strategy: CodableStrategy>(
    _ strategy: Strategy, for type: [String: Strategy.Value].Type
  ) -> _ContainerStrategy<[String: Strategy.Value], [String: Strategy.Coded]> {
    _ContainerStrategy(decode: { try $0.mapValues(strategy.value) }, encode: { try $0.mapValues(strategy.coded) })
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
