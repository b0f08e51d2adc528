#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON: JSONEncodable {
  /// Writes a copy of the value. If members or elements have been written already, those of the value are appended.
  public func encode(into json: inout JSON.Builder) throws {
    switch (json.state, kind) {
    case (.object, .object): try forEachMember { step, value in try json.write(value, at: JSON.Path(steps: [step])) }
    case (.array, .array): try forEachMember { _, value in try json.append(value) }
    default:
      try json.claim()
      json.document.append(self)
    }
  }
}

extension Bool: JSONEncodable {
  /// Writes `true` or `false`.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(self)
  }
}

extension String: JSONEncodable {
  /// Writes a string.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    json.document.append(self)
  }
}

extension Double: JSONEncodable {
  /// Writes the shortest number that reads back as this one. Whole numbers have no fraction.
  ///
  /// - Throws: ``JSONEncodingError`` for infinities and NaN.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    guard isFinite else { throw JSONEncodingError(.nonFiniteNumber, detail: description) }
    json.document.append(self)
  }
}

extension Float: JSONEncodable {
  /// Writes the shortest number that reads back as this one. Whole numbers have no fraction. The float 0.1 is written as `0.1`,
  /// not as the double nearest to it.
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
  /// Writes a number with all of its digits.
  ///
  /// - Throws: ``JSONEncodingError`` for NaN.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    guard !isNaN else { throw JSONEncodingError(.nonFiniteNumber, detail: description) }
    json.document.appendNumber(description)
  }
}
