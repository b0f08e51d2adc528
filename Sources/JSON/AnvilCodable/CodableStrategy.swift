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

/// The reason why a value cannot be coded. Coders add the path of the value.
public struct CodingFailure: Error, CustomStringConvertible {
  /// The reason in a few words.
  public let description: String

  /// Creates a failure with the reason `description`.
  public init(_ description: String) { self.description = description }
}
