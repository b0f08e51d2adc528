internal import AnvilBase
package import AnvilJSON

/// The kinds of JSON values found under one name, which determine a column type that can store all of them.
///
/// Types are widened so that no value changes. Integers are widened to reals if all of them are exact as reals. Numbers and Booleans are
/// widened to text, with the digits as written, or `true` and `false`. All types can be widened to JSON.
struct ObservedKinds: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let boolean = ObservedKinds(rawValue: 1)
  /// An integer with a magnitude of at most 2⁵³, which a double can represent.
  static let integer = ObservedKinds(rawValue: 2)
  /// A 64-bit integer whose magnitude is greater than 2⁵³. Doubles cannot represent all such integers.
  static let longInteger = ObservedKinds(rawValue: 4)
  /// An integer with a magnitude of at most 2⁵³ that is written with a fraction or an exponent: `1.0`, `1e3`.
  static let wholeReal = ObservedKinds(rawValue: 8)
  /// A number that a double reproduces with all its digits.
  static let real = ObservedKinds(rawValue: 16)
  /// A number that neither a 64-bit integer nor a double can represent.
  static let longNumber = ObservedKinds(rawValue: 32)
  static let text = ObservedKinds(rawValue: 64)
  static let nested = ObservedKinds(rawValue: 128)

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The kind of one value; empty for null, which has no type.
  init(of json: JSON) {
    self =
      switch json.kind {
      case .null: []
      case .bool: .boolean
      case .number: Self.kind(ofNumber: json)
      case .string: .text
      case .array, .object: .nested
      }
  }

  private static func kind(ofNumber json: JSON) -> ObservedKinds {
    switch json.plainNumber {
    case .integer(let integer): return integer.magnitude <= largestExactInteger ? .integer : .longInteger
    case .decimal(let double): return double.rounded(.towardZero) == double ? .wholeReal : .real
    case nil: break
    }
    let text = json.numberText ?? ""
    let isWrittenWhole = !text.utf8.contains { $0 == .period || $0 | 0x20 == UInt8(ascii: "e") }
    let integer = json.integer(as: Int64.self)
    if isWrittenWhole {
      guard let integer else { return .longNumber }
      return integer.magnitude <= largestExactInteger ? .integer : .longInteger
    }
    if let integer, integer.magnitude <= largestExactInteger { return .wholeReal }
    return isExact(json, text) ? .real : .longNumber
  }

  /// 2⁵³. Doubles represent all integers up to this magnitude exactly.
  static let largestExactInteger: UInt64 = 1 << 53

  /// Returns `true` if the nearest double has the same value as the number in the JSON text.
  private static func isExact(_ json: JSON, _ text: String) -> Bool {
    guard let double = json.double, double.isFinite else { return false }
    // Fifteen digits are always reproduced. Source: IEEE 754-2019 §5.12.2, C's DBL_DIG.
    if text.utf8.count <= 16, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return true }
    return (try? JSON(parsing: "\(double)")) == json
  }

  /// Returns the type of a column that can store values of the type `stored` and of these kinds. Returns `nil` if no type is known.
  ///
  /// Columns with types that JSON does not have are not widened. Values that do not fit fail when they are stored.
  ///
  /// - Parameter hasLongIntegers: Returns whether the column contains integers beyond 2⁵³. Called only if needed.
  func type(over stored: StoredType?, hasLongIntegers: () throws -> Bool = { false }) rethrows -> StoredType? {
    guard !isEmpty else { return stored }
    var kinds = self
    switch stored {
    case nil: break
    case .integer: kinds.insert(.integer)
    case .real: kinds.insert(.real)
    case .boolean: kinds.insert(.boolean)
    case .text: kinds.insert(.text)
    case .json: kinds.insert(.nested)
    case .timestamp, .date, .data, .uuid, .url, .decimal: return stored
    }
    if kinds.contains(.nested) { return .json }
    if !kinds.isDisjoint(with: [.text, .longNumber]) { return .text }
    if kinds.contains(.boolean) { return kinds == .boolean ? .boolean : .text }
    guard kinds.contains(.real) else {
      // 1.0 is an integer if the column has integers already, and a real otherwise.
      let isWhole = stored == .integer || kinds.contains(.longInteger) || !kinds.contains(.wholeReal)
      return isWhole ? .integer : .real
    }
    if kinds.contains(.longInteger) { return .text }
    return try stored == .integer && hasLongIntegers() ? .text : .real
  }
}

/// Conversion of JSON values to column values.
extension StoredType {
  /// Returns the value in the form of a column of this type, or `nil` if the column cannot store it.
  ///
  /// In a column of text, numbers and Booleans are stored as their JSON text. Dates must be text in the format of RFC
  /// 3339, because a number has no defined starting point. Decimals may also be text, and bytes are base64.
  package func value(of json: JSON, _ precision: StoredDate.Precision) -> StoreValue? {
    // The most common values first: reading an integer of any type takes several times as long.
    switch self {
    case .integer:
      if case .integer(let integer) = json.plainNumber { return .integer(integer) }
    case .real:
      if case .decimal(let double) = json.plainNumber { return .real(double == 0 ? 0 : double) }
    case .text:
      if let text = json.string { return .text(text) }
    default: break
    }
    if json.isNull { return .null }
    switch self {
    case .integer: return json.integer(as: Int64.self).map(StoreValue.integer)
    case .real: return json.double.flatMap { $0.isFinite ? try? $0.stored : nil }
    case .boolean: return json.bool.map { .integer($0 ? 1 : 0) }
    case .text: return (json.numberText ?? json.bool.map { "\($0)" }).map(StoreValue.text)
    case .json: return .text(json.serializedText(.compact, order: .sortedKeys))
    case .timestamp: return json.kind == .string ? try? Date.decode(json).stored(precision) : nil
    case .date: return json.kind == .string ? try? Date.decode(json).storedNumber : nil
    case .data: return json.string.flatMap { Data(base64Encoded: $0) }.map(StoreValue.blob)
    case .uuid: return json.string.flatMap { UUID(uuidString: $0) }?.stored
    case .url: return json.string.flatMap { URL(string: $0) }?.stored
    case .decimal: return Self.decimal(json)
    }
  }

  /// Returns the digits of a number, or `nil` if it has more digits than a decimal can have.
  private static func decimal(_ json: JSON) -> StoreValue? {
    let number = json.string.map { try? JSON(parsing: $0) } ?? json
    guard let number, let decimal = number.decimal, let value = try? decimal.stored, case .text(let text) = value,
      (try? JSON(parsing: text)) == number
    else { return nil }
    return value
  }

  /// Converts a value of this type to the equivalent value for a column of `type`. Returns `nil` if no value is equivalent.
  ///
  /// Numbers become text with the fewest digits that reproduce them exactly.
  func widened(_ value: StoreValue, to type: StoredType) -> StoreValue? {
    switch (value, type) {
    case (.null, _): return .null
    case (.integer(let integer), .real):
      return self == .integer && integer.magnitude <= ObservedKinds.largestExactInteger ? .real(Double(integer)) : nil
    case (.real, .real): return value
    case (_, .text): return plainText(of: value).map(StoreValue.text)
    case (.text(let text), .json):
      return (try? JSON.Encoder().encode(text)).map { .text(String(decoding: $0, as: UTF8.self)) }
    case (.real(let real), .json) where !real.isFinite: return nil
    case (_, .json): return plainText(of: value).map(StoreValue.text)
    default: return nil
    }
  }

  private func plainText(of value: StoreValue) -> String? {
    switch value {
    case .integer(let integer):
      guard self == .boolean else { return "\(integer)" }
      return integer == 0 ? "false" : integer == 1 ? "true" : nil
    case .real(let real):
      let text = "\(real)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .text(let text): return text
    case .null, .blob: return nil
    }
  }
}
