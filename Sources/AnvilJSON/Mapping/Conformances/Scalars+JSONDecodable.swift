#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON: JSONDecodable {
  /// The value itself.
  public static func decode(_ json: JSON) -> JSON { json }
}

extension Bool: JSONDecodable {
  /// `true` or `false`; numbers are neither.
  ///
  /// - Throws: ``TypeMismatchError``.
  public static func decode(_ json: JSON) throws -> Bool {
    let word = json.word
    guard word.isBool else { throw json.mismatch(Bool.self) }
    return word.is(.true)
  }
}

extension String: JSONDecodable {
  /// The string.
  ///
  /// - Throws: ``TypeMismatchError``.
  public static func decode(_ json: JSON) throws -> String {
    guard json.word.isString else { throw json.mismatch(String.self) }
    return json.document.string(at: json.index)
  }
}

extension Double: JSONDecodable {
  /// The double nearest to the number.
  ///
  /// - Throws: ``TypeMismatchError``, also beyond the range of doubles.
  public static func decode(_ json: JSON) throws -> Double {
    guard let value = json.document.double(at: json.index) else { throw json.mismatch(Double.self) }
    return value
  }
}

extension Float: JSONDecodable {
  /// The float nearest to the number.
  ///
  /// - Throws: ``TypeMismatchError``, also beyond the range of floats.
  public static func decode(_ json: JSON) throws -> Float {
    guard let value = json.document.float(at: json.index) else { throw json.mismatch(Float.self) }
    return value
  }
}

extension Decimal: JSONDecodable {
  /// The number with as many of its digits as `Decimal` can hold.
  ///
  /// - Throws: ``TypeMismatchError``, also beyond the range of `Decimal`.
  public static func decode(_ json: JSON) throws -> Decimal {
    guard let value = json.document.decimal(at: json.index) else { throw json.mismatch(Decimal.self) }
    return value
  }
}
