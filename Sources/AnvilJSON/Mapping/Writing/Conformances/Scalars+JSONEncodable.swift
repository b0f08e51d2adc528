#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON: JSONEncodable {
  /// A copy of the value.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(self)
  }
}

extension Bool: JSONEncodable {
  /// `true` or `false`.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(self)
  }
}

extension String: JSONEncodable {
  /// A string.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(self)
  }
}

extension Double: JSONEncodable {
  /// The shortest number that comes back as this one, without a fraction where it is whole.
  ///
  /// - Throws: ``JSONEncodingError`` for infinities and NaN.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    guard isFinite else { throw JSONEncodingError(.nonFiniteNumber, detail: description) }
    json.document.append(self)
  }
}

extension Float: JSONEncodable {
  /// The shortest number that comes back as this one, without a fraction where it is whole: `0.1`, not the double nearest
  /// to the float.
  ///
  /// - Throws: ``JSONEncodingError`` for infinities and NaN.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    guard isFinite else { throw JSONEncodingError(.nonFiniteNumber, detail: description) }
    if self == rounded(), magnitude < 0x1p24 { return json.document.append(Double(self)) }
    json.document.appendNumber(description)
  }
}

extension Decimal: JSONEncodable {
  /// A number with all of its digits.
  ///
  /// - Throws: ``JSONEncodingError`` for NaN.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    guard !isNaN else { throw JSONEncodingError(.nonFiniteNumber, detail: description) }
    json.document.appendNumber(description)
  }
}
