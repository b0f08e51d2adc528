/// A way to code a value as another value that has a JSON form, for `@CodableBy`.
///
///     struct HexColor: CodableStrategy {
///       func value(from text: String) throws -> Color {
///         guard let color = Color(hex: text) else { throw CodingFailure("no color in hexadecimal digits") }
///         return color
///       }
///       func coded(_ color: Color) -> String { color.hex }
///     }
///     extension CodableStrategy where Self == HexColor {
///       static var hexColor: HexColor { HexColor() }
///     }
///
///     @CodableBy(.hexColor) var background: Color
public protocol CodableStrategy<Value>: Sendable {
  /// The type of the property, without its optionality.
  associatedtype Value
  /// The type that is coded in place of the value.
  associatedtype Coded: Codable & JSONReadable & JSONWritable

  /// Returns the value for its coded form.
  ///
  /// - Throws: Any error. Coders add the path to a ``CodingFailure``.
  func value(from coded: Coded) throws -> Value

  /// Returns the coded form of `value`.
  ///
  /// - Throws: Any error. Coders add the path to a ``CodingFailure``.
  func coded(_ value: Value) throws -> Coded
}

/// A strategy for optional values that codes the values that are not `nil` with another strategy.
public struct _OptionalStrategy<Strategy: CodableStrategy>: CodableStrategy {
  let strategy: Strategy

  /// Returns the value for its coded form.
  public func value(from coded: Strategy.Coded) throws -> Strategy.Value? { try strategy.value(from: coded) }

  /// Returns the coded form of `value`.
  ///
  /// - Throws: ``CodingFailure`` for `nil`, which members do not code with a strategy.
  public func coded(_ value: Strategy.Value?) throws -> Strategy.Coded {
    guard let value else { throw CodingFailure("nil has no coded form") }
    return try strategy.coded(value)
  }
}

/// Returns a strategy for optional values that uses `strategy` for other values.
public func _optional<Strategy: CodableStrategy>(_ strategy: Strategy) -> _OptionalStrategy<Strategy> {
  _OptionalStrategy(strategy: strategy)
}

/// Returns `strategy`, whose values are optional already.
public func _optional<Strategy: CodableStrategy, Value>(_ strategy: Strategy) -> Strategy
where Strategy.Value == Value? { strategy }

/// The reason why a value cannot be coded. Coders add the path of the value.
public struct CodingFailure: Error, CustomStringConvertible {
  /// The reason in a few words.
  public let description: String

  /// Creates a failure with the reason `description`.
  public init(_ description: String) { self.description = description }
}
