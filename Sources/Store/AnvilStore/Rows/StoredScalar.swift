#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A type whose values a column stores directly instead of as JSON.
protocol StoredScalar: Codable, SendableMetatype {
  static var storedType: StoredType { get }

  /// The stored form of the value.
  ///
  /// - Throws: ``UnstorableValue``.
  var stored: StoreValue { get throws(UnstorableValue) }

  /// Creates the value from its stored form. Returns `nil` for a value that this type does not produce.
  init?(stored value: StoreValue)

  /// Returns the value of a column if it has the kind in which this type is usually stored, and otherwise `nil`. Faster than
  /// `init(stored:)`.
  static func readCommonKind(from columns: any StoreRowColumns, at column: Int) throws(StoreError) -> Self?
}

extension StoredScalar {
  static func readCommonKind(from columns: any StoreRowColumns, at column: Int) throws(StoreError) -> Self? { nil }
}

/// The reason why a value cannot be stored.
struct UnstorableValue: Error {
  let reason: String
}

extension StoredScalar where Self: FixedWidthInteger {
  static var storedType: StoredType { .integer }

  static func readCommonKind(from columns: any StoreRowColumns, at column: Int) throws(StoreError) -> Self? {
    try columns.integerOnly(at: column).flatMap { Self(exactly: $0) }
  }

  var stored: StoreValue {
    get throws(UnstorableValue) {
      guard let number = Int64(exactly: self) else {
        throw UnstorableValue(reason: "the integer does not fit in 64 bits")
      }
      return .integer(number)
    }
  }

  init?(stored value: StoreValue) {
    switch value {
    case .integer(let number): self.init(exactly: number)
    case .real(let number): self.init(exactly: number)
    default: return nil
    }
  }
}

extension Int: StoredScalar {}
extension Int8: StoredScalar {}
extension Int16: StoredScalar {}
extension Int32: StoredScalar {}
extension Int64: StoredScalar {}
extension Int128: StoredScalar {}
extension UInt: StoredScalar {}
extension UInt8: StoredScalar {}
extension UInt16: StoredScalar {}
extension UInt32: StoredScalar {}
extension UInt64: StoredScalar {}
extension UInt128: StoredScalar {}

extension Double: StoredScalar {
  static var storedType: StoredType { .real }

  static func readCommonKind(from columns: any StoreRowColumns, at column: Int) throws(StoreError) -> Double? {
    try columns.realOnly(at: column)
  }

  var stored: StoreValue {
    get throws(UnstorableValue) {
      guard !isNaN else { throw UnstorableValue(reason: "databases do not support NaN") }
      // Without the sign of zero, as SQLite stores it.
      return .real(self == 0 ? 0 : self)
    }
  }

  init?(stored value: StoreValue) {
    switch value {
    case .real(let number): self = number
    case .integer(let number): self.init(exactly: number)
    default: return nil
    }
  }
}

extension Float: StoredScalar {
  static var storedType: StoredType { .real }

  var stored: StoreValue {
    get throws(UnstorableValue) { try Double(self).stored }
  }

  init?(stored value: StoreValue) {
    guard let number = Double(stored: value) else { return nil }
    self.init(number)
  }
}

extension Bool: StoredScalar {
  static var storedType: StoredType { .boolean }
  var stored: StoreValue { .integer(self ? 1 : 0) }

  static func readCommonKind(from columns: any StoreRowColumns, at column: Int) throws(StoreError) -> Bool? {
    switch try columns.integerOnly(at: column) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  init?(stored value: StoreValue) {
    switch value {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }
}

extension String: StoredScalar {
  static var storedType: StoredType { .text }
  var stored: StoreValue { .text(self) }

  static func readCommonKind(from columns: any StoreRowColumns, at column: Int) throws(StoreError) -> String? {
    try columns.textOnly(at: column)
  }

  init?(stored value: StoreValue) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

extension Date: StoredScalar {
  static var storedType: StoredType { .timestamp }

  static func readCommonKind(from columns: any StoreRowColumns, at column: Int) throws(StoreError) -> Date? {
    try columns.textOnly(at: column).flatMap(StoredDate.date)
  }

  var stored: StoreValue {
    get throws(UnstorableValue) { try stored(.nanoseconds) }
  }

  func stored(_ precision: StoredDate.Precision) throws(UnstorableValue) -> StoreValue {
    if let text = StoredDate.text(of: self, precision) { return .text(text) }
    throw UnstorableValue(reason: "only dates of the years 0 to 9999 can be stored")
  }

  /// The seconds since the beginning of 2001, for columns of earlier versions.
  var storedNumber: StoreValue {
    get throws(UnstorableValue) { try timeIntervalSinceReferenceDate.stored }
  }

  /// Creates a date from its text, or from the seconds since the beginning of 2001.
  init?(stored value: StoreValue) {
    if case .text(let text) = value {
      guard let date = StoredDate.date(in: text) else { return nil }
      self = date
    } else {
      guard let seconds = Double(stored: value) else { return nil }
      self.init(timeIntervalSinceReferenceDate: seconds)
    }
  }
}

extension Data: StoredScalar {
  static var storedType: StoredType { .data }
  var stored: StoreValue { .blob(self) }

  init?(stored value: StoreValue) {
    guard case .blob(let bytes) = value else { return nil }
    self = bytes
  }
}

extension UUID: StoredScalar {
  static var storedType: StoredType { .uuid }
  var stored: StoreValue { .text(uuidString) }

  init?(stored value: StoreValue) {
    guard case .text(let text) = value else { return nil }
    self.init(uuidString: text)
  }
}

extension URL: StoredScalar {
  static var storedType: StoredType { .url }
  var stored: StoreValue { .text(absoluteString) }

  init?(stored value: StoreValue) {
    guard case .text(let text) = value else { return nil }
    self.init(string: text)
  }
}

extension Decimal: StoredScalar {
  static var storedType: StoredType { .decimal }

  var stored: StoreValue {
    get throws(UnstorableValue) {
      guard !isNaN else { throw UnstorableValue(reason: "databases do not support NaN") }
      return .text("\(self)")
    }
  }

  init?(stored value: StoreValue) {
    guard case .text(let text) = value else { return nil }
    self.init(string: text)
  }
}
