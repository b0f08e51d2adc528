#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The conversion of a column's values to another type.
struct ColumnConversion: Sendable {
  /// The required type of the column, or `nil` for any type.
  let from: StoredType?
  let to: StoredType
  /// Returns the new value for a value that is not NULL, or `nil` if it cannot be converted.
  private let convert: @Sendable (StoreValue, StoredType) throws -> StoreValue?

  init<Value: StoredValue>(to type: Value.Type) {
    let type = scalarType(type)
    from = nil
    to = type.storedType
    convert = { value, from in
      let converted = from == type.storedType ? value : from.converted(value, to: type.storedType)
      // The model must be able to read the value; for example, a number must not be too large.
      return converted.flatMap { type.accepts($0) ? $0 : nil }
    }
  }

  init<Old: StoredValue, New: StoredValue>(_ convert: @escaping @Sendable (Old) throws -> New) {
    let (old, new) = (scalarType(Old.self), scalarType(New.self))
    (from, to) = (old.storedType, new.storedType)
    self.convert = { value, _ in
      guard let value = old.value(of: value) as? Old, let result = try convert(value) as? any StoredScalar else {
        return nil
      }
      return try result.stored
    }
  }

  var description: String { (from.map { "from \($0.rawValue) " } ?? "") + "to \(to.rawValue)" }

  /// Returns the converted value of a column, or `nil` if it cannot be converted.
  ///
  /// - Throws: Any error of the conversion.
  func value(of value: StoreValue, from type: StoredType) throws -> StoreValue? {
    value == .null ? .null : try convert(value, type)
  }
}

/// Returns the type as a scalar. Traps for a type that conforms to ``StoredValue`` but cannot be stored in a column.
private func scalarType(_ type: any StoredValue.Type) -> any StoredScalar.Type {
  guard let type = type as? any StoredScalar.Type else {
    preconditionFailure("\(type) is not a type that columns can store")
  }
  return type
}

extension StoredScalar {
  fileprivate static func accepts(_ value: StoreValue) -> Bool { Self(stored: value) != nil }
  fileprivate static func value(of stored: StoreValue) -> (any StoredScalar)? { Self(stored: stored) }
}

extension StoredType {
  /// Returns the equal value of another type, or `nil` if no value of that type is equal.
  fileprivate func converted(_ value: StoreValue, to type: StoredType) -> StoreValue? {
    switch type {
    case .text: self == .json || self == .date || self == .data ? nil : widened(value, to: .text)
    case .integer: integer(value).map(StoreValue.integer)
    case .boolean: boolean(value).map { .integer($0 ? 1 : 0) }
    case .real: real(value).flatMap { $0.isFinite ? .real($0) : nil }
    case .decimal: decimal(value).flatMap { try? $0.stored }
    case .uuid: text(value).flatMap { UUID(uuidString: $0) }?.stored
    case .url: text(value).flatMap { URL(string: $0) }?.stored
    case .date, .data, .json: nil
    }
  }

  private func text(_ value: StoreValue) -> String? {
    guard self == .text, case .text(let text) = value else { return nil }
    return text
  }

  private func integer(_ value: StoreValue) -> Int64? {
    switch (self, value) {
    case (.integer, .integer(let integer)), (.boolean, .integer(let integer)): integer
    case (.real, .real(let real)): Int64(exactly: real)
    case (.text, .text(let text)), (.decimal, .text(let text)): Int64(text)
    default: nil
    }
  }

  private func boolean(_ value: StoreValue) -> Bool? {
    switch (self, value) {
    case (.boolean, .integer(1)), (.integer, .integer(1)), (.text, .text("true")), (.text, .text("1")): true
    case (.boolean, .integer(0)), (.integer, .integer(0)), (.text, .text("false")), (.text, .text("0")): false
    default: nil
    }
  }

  private func real(_ value: StoreValue) -> Double? {
    switch (self, value) {
    case (.integer, .integer(let integer)): Double(exactly: integer)
    case (.text, .text(let text)), (.decimal, .text(let text)): Double(text)
    default: nil
    }
  }

  private func decimal(_ value: StoreValue) -> Decimal? {
    switch (self, value) {
    case (.integer, .integer(let integer)): Decimal(integer)
    case (.real, .real(let real)): Decimal(string: "\(real)")
    case (.text, .text(let text)): Decimal(stored: .text(text))
    default: nil
    }
  }
}
