#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON: JSONDecodable {
  /// Returns `json` itself.
  public static func decode(_ json: JSON) -> JSON { json }
}

extension Bool: JSONDecodable {
  /// Returns `true` or `false`. Numbers are not converted.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Bool {
    let word = json.word
    guard word.isBool else { throw json.mismatch(Bool.self) }
    return word.is(.true)
  }
}

extension String: JSONDecodable {
  /// Returns the string.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> String {
    guard json.word.isString else { throw json.mismatch(String.self) }
    return json.document.string(at: json.index)
  }
}

extension Double: JSONDecodable {
  /// Returns the double nearest to the number.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else and for numbers beyond the range of doubles.
  public static func decode(_ json: JSON) throws -> Double {
    guard let value = json.document.double(at: json.index) else { throw json.mismatch(Double.self) }
    return value
  }
}

extension Float: JSONDecodable {
  /// Returns the float nearest to the number.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else and for numbers beyond the range of floats.
  public static func decode(_ json: JSON) throws -> Float {
    guard let value = json.document.float(at: json.index) else { throw json.mismatch(Float.self) }
    return value
  }
}

extension Decimal: JSONDecodable {
  /// Returns the number with as many of its digits as `Decimal` can store.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else and for numbers beyond the range of `Decimal`.
  public static func decode(_ json: JSON) throws -> Decimal {
    guard let value = json.document.decimal(at: json.index) else { throw json.mismatch(Decimal.self) }
    return value
  }
}
