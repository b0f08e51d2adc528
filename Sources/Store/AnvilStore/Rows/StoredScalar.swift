public import AnvilBase
public import AnvilJSON

/// A type whose values a column stores directly instead of as JSON.
protocol StoredScalar: Codable, SendableMetatype {
  static var storedType: StoredType { get }

  /// The value in a column. A date has nanoseconds; use ``stored(_:)`` where the value is compared with that of a column.
  var stored: StoreValue { get throws(UnstorableValue) }

  /// Returns the value that a column returns after this value was written, in a database with this precision of dates.
  func stored(_ precision: StoredDate.Precision) throws(UnstorableValue) -> StoreValue

  /// Creates the value from its stored form. Returns `nil` for a value that this type does not produce.
  init?(stored value: StoreValue)

  /// Returns the value of a column if it has the kind in which this type is usually stored, and otherwise `nil`. Faster than
  /// `init(stored:)`.
  static func readCommonKind(from columns: any StoreRowColumns, at column: Int) throws(StoreError) -> Self?
}

extension StoredScalar {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Self? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Self?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }

  func stored(_ precision: StoredDate.Precision) throws(UnstorableValue) -> StoreValue { try stored }

  static func readCommonKind(from columns: any StoreRowColumns, at column: Int) throws(StoreError) -> Self? { nil }
}

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

extension Int: StoredScalar, StoredValue {}
extension Int8: StoredScalar, StoredValue {}
extension Int16: StoredScalar, StoredValue {}
extension Int32: StoredScalar, StoredValue {}
extension Int64: StoredScalar, StoredValue {}
extension Int128: StoredScalar, StoredValue {}
extension UInt: StoredScalar, StoredValue {}
extension UInt8: StoredScalar, StoredValue {}
extension UInt16: StoredScalar, StoredValue {}
extension UInt32: StoredScalar, StoredValue {}
extension UInt64: StoredScalar, StoredValue {}
extension UInt128: StoredScalar, StoredValue {}

extension Double: StoredScalar, StoredValue {
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

extension Float: StoredScalar, StoredValue {
  static var storedType: StoredType { .real }

  /// The number with the fewest digits that identify this one: 0.1, as in JSON, instead of 0.10000000149011612.
  var stored: StoreValue {
    get throws(UnstorableValue) {
      let number = Double("\(self)").flatMap { Float($0) == self ? $0 : nil }
      return try (number ?? Double(self)).stored
    }
  }

  init?(stored value: StoreValue) {
    guard let number = Double(stored: value) else { return nil }
    self.init(number)
  }
}

extension Bool: StoredScalar, StoredValue {
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

extension String: StoredScalar, StoredValue {
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

extension Date: StoredScalar, StoredValue {
  static var storedType: StoredType { .timestamp }

  /// Sets the value of a column, with the precision of the database; NULL for `nil`.
  public static func _write(_ value: Date?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(date: value, at: column)
  }

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

extension JSON.Day: StoredScalar, StoredValue {
  // The order of the texts is that of the days.
  static var storedType: StoredType { .text }
  var stored: StoreValue { .text(description) }

  init?(stored value: StoreValue) {
    guard case .text(let text) = value else { return nil }
    self.init(text)
  }
}

extension Data: StoredScalar, StoredValue {
  static var storedType: StoredType { .data }
  var stored: StoreValue { .blob(self) }

  init?(stored value: StoreValue) {
    guard case .blob(let bytes) = value else { return nil }
    self = bytes
  }
}

extension UUID: StoredScalar, StoredValue {
  static var storedType: StoredType { .uuid }
  var stored: StoreValue { .text(uuidString) }

  init?(stored value: StoreValue) {
    guard case .text(let text) = value else { return nil }
    self.init(uuidString: text)
  }
}

extension URL: StoredScalar, StoredValue {
  static var storedType: StoredType { .url }
  var stored: StoreValue { .text(absoluteString) }

  init?(stored value: StoreValue) {
    guard case .text(let text) = value else { return nil }
    self.init(string: text)
  }
}

extension Decimal: StoredScalar, StoredValue {
  static var storedType: StoredType { .decimal }

  var stored: StoreValue {
    get throws(UnstorableValue) {
      guard !isNaN else { throw UnstorableValue(reason: "databases do not support NaN") }
      return .text("\(self)")
    }
  }

  /// Creates the number from its text, or from a number that SQL has calculated or that is in a column declared by SQL.
  init?(stored value: StoreValue) {
    switch value {
    case .text(let text): self.init(wholeText: text)
    case .integer(let integer): self.init(integer)
    case .real(let real): self.init(string: "\(real)")
    case .null, .blob: return nil
    }
  }
}

/// Determines the stored form of a value that encodes itself as a single other value, as enumerations and wrappers do.
final class ScalarProbe {
  /// A value that a column can store directly; null has no type.
  struct Scalar {
    var type: StoredType?
    var value: StoreValue
  }

  /// Thrown to end the encoding of a value that encodes itself in a keyed or unkeyed container.
  private struct HasParts: Error {}

  private var scalar: Scalar?
  private let precision: StoredDate.Precision
  /// The key of the value that is being encoded, for errors.
  private var key: (any CodingKey)?
  private var path: [any CodingKey] { key.map { [$0] } ?? [] }

  init(_ precision: StoredDate.Precision) { self.precision = precision }

  /// Returns the stored form of `value`; `nil` if it encodes itself in a keyed or unkeyed container, or encodes nothing.
  static func stored(_ value: some Encodable, _ precision: StoredDate.Precision) throws -> Scalar? {
    // Most keys are of these types, which need not be encoded.
    if let integer = identity(value, as: Int.self) { return Scalar(type: .integer, value: .integer(Int64(integer))) }
    if let text = identity(value, as: String.self) { return Scalar(type: .text, value: .text(text)) }
    let probe = ScalarProbe(precision)
    guard let itself = storedAsItself(value) else { return try probe.scalar(of: value, at: nil) }
    return try probe.scalar(ofItself: itself)
  }

  private func scalar<T: StoredScalar>(ofItself value: T) throws -> Scalar {
    do throws(UnstorableValue) {
      return Scalar(type: T.storedType, value: try value.stored(precision))
    } catch {
      throw EncodingError.unencodable(value, at: path, "The value cannot be stored: \(error.reason).")
    }
  }

  /// - Throws: `EncodingError.invalidValue` at `key` for a value that cannot be stored; any error that the value throws.
  func scalar(of value: some Encodable, at key: (any CodingKey)?) throws -> Scalar? {
    self.key = key
    scalar = nil
    do {
      try value.encode(to: Probing(probe: self))
    } catch is HasParts {
      return nil
    }
    return scalar
  }

  private struct Probing: Encoder, SingleValueEncodingContainer {
    let probe: ScalarProbe

    var codingPath: [any CodingKey] { probe.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      IgnoringEncoder(refusal: HasParts()).container(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      IgnoringEncoder(refusal: HasParts()).unkeyedContainer()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { probe.scalar = Scalar(type: nil, value: .null) }

    func encode<T: Encodable>(_ value: T) throws {
      if let value = storedAsItself(value) { try take(value) } else { try value.encode(to: self) }
    }

    func encode(_ value: Int128) throws { try take(value) }
    func encode(_ value: UInt128) throws { try take(value) }

    private func take<T: StoredScalar>(_ value: T) throws {
      probe.scalar = try probe.scalar(ofItself: value)
    }
  }
}

/// Returns the value if columns store its type directly.
@inline(__always)
func storedAsItself<T>(_ value: T) -> (any StoredScalar)? {
  // The type, not the value: the values of an optional are cast as their wrapped values.
  T.self is any StoredScalar.Type ? value as? any StoredScalar : nil
}

/// The storage type of a model's attribute.
package enum StoredType: String, Hashable, Sendable {
  /// A whole number in the range of `Int64`.
  case integer
  case real
  /// The integer 1 or 0.
  case boolean
  case text
  /// The time of a date: text in the form of ``StoredDate``, or a type of the database.
  case timestamp
  /// The time of a date in a column of an earlier version: the seconds since the beginning of 2001 in UTC, as a real number.
  case date
  case data
  /// The text of a UUID, in upper case.
  case uuid
  case url
  /// The digits of a decimal number, as text.
  case decimal
  /// A nested value or an array, as JSON.
  case json

  /// Returns the form in which models encode the value of a key, for the value of a row. A database and other programs may write the digits
  /// of a decimal number differently.
  func keyValue(_ value: StoreValue) -> StoreValue {
    self == .decimal ? Decimal(stored: value).flatMap { try? $0.stored } ?? value : value
  }
}

package struct Attribute: Hashable, Sendable {
  /// The text of the coding key.
  package var name: String
  /// The storage type. It is `nil` as long as all values were nil, unless the Swift type determines the storage type.
  package var type: StoredType?
  package var reference: EntityReference?

  package init(_ name: String, _ type: StoredType?, _ reference: EntityReference? = nil) {
    self.name = name
    self.type = type
    self.reference = reference
  }

  package var kind: String {
    switch reference {
    case nil: type?.rawValue ?? "unknown"
    case .one(let entity): "a reference to \(entity)"
    case .many(let entity): "references to \(entity)"
    }
  }
}

/// The kind of reference in a column that contains keys of other rows.
package enum EntityReference: Hashable, Sendable {
  /// The key of one row of the entity. A composite key is a JSON array of its values.
  case one(entity: String)
  /// The keys of rows of the entity, as a JSON array.
  case many(entity: String)

  package var entity: String {
    switch self {
    case .one(let entity), .many(let entity): entity
    }
  }
}

/// Values that are compared with those of a column.
extension StoredType {
  /// Returns the form of the value in a column of this type.
  ///
  /// - Parameters:
  ///   - precision: The precision of dates in the database.
  ///   - name: The entity and the column, for errors.
  /// - Throws: ``StoreError/Code/invalidValue`` for a value of another type; `EncodingError` for a value that cannot be stored.
  func stored(
    _ value: any Encodable, _ precision: StoredDate.Precision, named name: @autoclosure () -> String
  ) throws -> StoreValue {
    guard self != .json else { throw mismatch(name(), "compared with a value") }
    // A column of an earlier version stores all digits of a date.
    guard let scalar = try ScalarProbe.stored(value, self == .date ? .nanoseconds : precision) else {
      throw mismatch(name(), "compared with a value that is not a scalar")
    }
    if self == scalar.type { return scalar.value }
    switch (self, scalar.type, scalar.value) {
    case (.real, .integer, .integer(let integer)): return .real(Double(integer))
    case (.integer, .real, .real(let real)):
      guard let integer = Int64(exactly: real) else {
        throw mismatch(name(), "compared with a number that is not an integer")
      }
      return .integer(integer)
    case (.date, .timestamp, let value):
      guard let number = try Date(stored: value)?.storedNumber else {
        throw mismatch(name(), "compared with this date")
      }
      return number
    case (.url, .text, .text(let text)): return .text(text)
    case (.uuid, .text, .text(let text)):
      guard let uuid = UUID(uuidString: text) else { throw mismatch(name(), "compared with text that is not a UUID") }
      return uuid.stored
    case (.decimal, .text, .text(let text)):
      guard let decimal = Decimal(wholeText: text), let stored = try? decimal.stored else {
        throw mismatch(name(), "compared with text that is not a decimal")
      }
      return stored
    default: throw mismatch(name(), "compared with \(scalar.type?.rawValue ?? "null")")
    }
  }

  /// Returns a JSON array of decimals as one of their texts in columns; `nil` for other JSON.
  package static func decimalTexts(inArray text: String) -> String? {
    guard let json = try? JSON(parsing: text), json.kind == .array else { return nil }
    let texts = json.elements.map { element in
      (element.numberText ?? element.string).flatMap(Decimal.init(wholeText:)).map { "\"\($0)\"" } ?? "null"
    }
    return "[\(texts.joined(separator: ","))]"
  }

  func mismatch(_ name: String, _ what: String) -> StoreError {
    StoreError(code: .invalidValue, reason: "\(name) has the stored type \(rawValue) and cannot be \(what)")
  }
}

extension Decimal {
  /// Creates a number from the text. Returns `nil` if any part of the text is invalid, or if it has more digits than a number can have,
  /// whereas `init(string:)` would ignore the rest.
  fileprivate init?(wholeText text: String) {
    guard Double(decimalText: text) != nil, let number = Decimal(string: text) else { return nil }
    if text.utf8.count > 38, let json = try? JSON(parsing: text), json != (try? JSON(parsing: "\(number)")) {
      return nil
    }
    self = number
  }
}

extension Double {
  /// Creates the nearest number to a decimal one. `init(_:)` also reads hexadecimal digits, infinity and NaN, and ends at a NUL.
  package init?(decimalText text: String) {
    guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }) else { return nil }
    self.init(text)
  }
}
