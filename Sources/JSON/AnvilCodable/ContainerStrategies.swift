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

/// The errors of a strategy for the elements of a container, which are found after one element has failed. Coders throw them with their
/// paths.
package struct ElementErrors: Error, CustomStringConvertible {
  fileprivate let refusals: [StrategyRefusal]

  package var description: String { refusals.first.map { "\($0.error)" } ?? "" }

  /// Creates the errors that `convert` throws for parts of a container. If it does not throw again, `error` is one about the container.
  fileprivate init<Part>(
    _ error: any Error, in parts: some Sequence<(JSON.Step, Part)>, _ convert: (Part) throws -> some Any
  ) {
    var refusals: [StrategyRefusal] = []
    for (step, part) in parts {
      do {
        _ = try convert(part)
      } catch {
        refusals += Self.refusals(of: error).map { StrategyRefusal(steps: [step] + $0.steps, error: $0.error) }
      }
    }
    self.refusals = refusals.isEmpty ? [StrategyRefusal(error: error)] : refusals
  }

  /// Returns the errors in `error`, or `error` itself as one about the whole value. The result is not empty.
  static func refusals(of error: any Error) -> [StrategyRefusal] {
    (error as? ElementErrors)?.refusals ?? [StrategyRefusal(error: error)]
  }

  /// Returns the first error in `error`, or `error` itself as one about the whole value.
  package static func first(of error: any Error) -> StrategyRefusal {
    (error as? ElementErrors)?.refusals.first ?? StrategyRefusal(error: error)
  }
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

  /// Returns the result of `decode`. After an error, throws all errors that this strategy throws for `parts`.
  fileprivate func decoding<Result, Parts: Sequence<(JSON.Step, _CodedElement<Coded>)>>(
    _ parts: @autoclosure () -> Parts, _ decode: () throws -> Result
  ) throws -> Result {
    do { return try decode() } catch { throw ElementErrors(error, in: parts()) { try $0.value(by: self) } }
  }

  /// Returns the result of `encode`. After an error, throws all errors that this strategy throws for `parts`.
  fileprivate func encoding<Result, Parts: Sequence<(JSON.Step, Value)>>(
    _ parts: @autoclosure () -> Parts, _ encode: () throws -> Result
  ) throws -> Result {
    do { return try encode() } catch { throw ElementErrors(error, in: parts()) { try coded($0) } }
  }
}

extension Collection {
  fileprivate var steps: some Sequence<(JSON.Step, Element)> { enumerated().lazy.map { (.index($0), $1) } }
}

extension Dictionary where Key == String {
  /// The members in the order of their keys, so that the first error is always the same one.
  fileprivate var steps: some Sequence<(JSON.Step, Value)> {
    sorted { $0.key < $1.key }.lazy.map { (.key($0.key), $0.value) }
  }
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
      decode: { elements in
        try strategy.decoding(elements.steps) { try elements.compactMap { try $0.value(by: strategy) } }
      },
      encode: { values in try strategy.encoding(values.steps) { try values.map(strategy.element) } })
  }

  /// Returns a strategy for sets whose elements are coded by `strategy`. The coded form is an array, in the order of the set.
  public static func strategy<Strategy: CodableStrategy>(
    _ strategy: Strategy, for type: Set<Strategy.Value>.Type
  ) -> _ContainerStrategy<Set<Strategy.Value>, [_CodedElement<Strategy.Coded>]> {
    _ContainerStrategy(
      decode: { elements in
        try strategy.decoding(elements.steps) { Set(try elements.compactMap { try $0.value(by: strategy) }) }
      },
      encode: { values in try strategy.encoding(values.steps) { try values.map(strategy.element) } })
  }

  /// Returns a strategy for dictionaries whose values are coded by `strategy`.
  public static func strategy<Strategy: CodableStrategy>(
    _ strategy: Strategy, for type: [String: Strategy.Value].Type
  ) -> _ContainerStrategy<[String: Strategy.Value], [String: _CodedElement<Strategy.Coded>]> {
    _ContainerStrategy(
      decode: { elements in
        try strategy.decoding(elements.steps) { try elements.compactMapValues { try $0.value(by: strategy) } }
      },
      encode: { values in try strategy.encoding(values.steps) { try values.mapValues(strategy.element) } })
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
