internal import AnvilBase

struct ColumnConversion: Sendable {
  /// The required type of the column, or `nil` for any type.
  let from: StoredType?
  let to: StoredType
  /// Returns the new value for a value that is not NULL, or `nil` if it cannot be converted.
  private let convert: @Sendable (StoreValue, StoredType) throws -> StoreValue?

  init<Value: StoredValue>(to type: Value.Type) {
    let storedType = scalarType(type).storedType
    from = nil
    to = storedType
    convert = { value, from in
      let converted = from == storedType ? value : from.converted(value, to: storedType)
      // The model must be able to read the value; for example, a number must not be too large.
      return converted.flatMap { makeValue(of: Value.self, from: $0) == nil ? nil : $0 }
    }
  }

  init<Old: StoredValue, New: StoredValue>(_ convert: @escaping @Sendable (Old) throws -> New) {
    (from, to) = (scalarType(Old.self).storedType, scalarType(New.self).storedType)
    self.convert = { value, _ in
      guard let value = makeValue(of: Old.self, from: value),
        let result = comparedValue(try convert(value)) as? any StoredScalar
      else { return nil }
      return try result.stored
    }
  }

  /// Returns the type of columns for a value, and its stored form; NULL for a value that cannot be stored, such as NaN.
  static func stored<Value: StoredValue>(_ value: Value) -> (type: StoredType, value: StoreValue) {
    (scalarType(Value.self).storedType, (try? (comparedValue(value) as? any StoredScalar)?.stored) ?? .null)
  }

  var description: String { (from.map { "from \($0.rawValue) " } ?? "") + "to \(to.rawValue)" }

  /// Returns the converted value of a column, or `nil` if it cannot be converted.
  func value(of value: StoreValue, from type: StoredType) throws -> StoreValue? {
    value == .null ? .null : try convert(value, type)
  }
}

/// Returns the type itself, or that of its raw values. Traps for a ``StoredValue`` type that cannot be stored in a column.
func scalarType(_ type: any StoredValue.Type) -> any StoredScalar.Type {
  func rawType<Raw: RawRepresentable>(_ type: Raw.Type) -> any Any.Type { Raw.RawValue.self }
  if let type = type as? any StoredScalar.Type { return type }
  guard let raw = type as? any RawRepresentable.Type, let type = rawType(raw) as? any StoredValue.Type else {
    preconditionFailure("\(type) is not a type that columns can store")
  }
  return scalarType(type)
}

/// Returns the value in a column; `nil` if the type does not have such a value.
private func makeValue<Value: StoredValue>(of type: Value.Type, from stored: StoreValue) -> Value? {
  func make<Raw: RawRepresentable>(_ type: Raw.Type) -> Any? {
    guard let rawType = Raw.RawValue.self as? any StoredValue.Type else { return nil }
    return (makeValue(of: rawType, from: stored) as? Raw.RawValue).flatMap(Raw.init(rawValue:))
  }
  if let scalar = type as? any StoredScalar.Type { return scalar.value(of: stored) as? Value }
  return (type as? any RawRepresentable.Type).flatMap { make($0) as? Value }
}

extension StoredScalar {
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
    case .timestamp: date(value).flatMap { try? $0.stored }
    case .date, .data, .json: nil
    }
  }

  private func date(_ value: StoreValue) -> Date? {
    self == .date || self == .timestamp || self == .text ? Date(stored: value) : nil
  }

  private func text(_ value: StoreValue) -> String? { self == .text ? value.text : nil }

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
    case (.text, .text(let text)), (.decimal, .text(let text)): Double(decimalText: text)
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
