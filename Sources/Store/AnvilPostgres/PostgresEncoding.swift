internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Encodes values in the server's format for a type.
///
/// Integers, reals, Booleans and bytes are sent in the binary format, which is exact and short. Other values are sent as text, which the
/// server reads like a literal in SQL.
enum PostgresEncoding {
  static func isBinary(_ type: PostgresType) -> Bool {
    switch type {
    case .int2, .int4, .int8, .float8, .boolean, .bytes: true
    default: false
    }
  }

  /// Appends the value, which must not be NULL.
  ///
  /// - Parameter label: The name of the value in an error, such as `value 2`.
  static func append(
    _ value: StoreValue, as type: PostgresType, to bytes: inout [UInt8], _ label: () -> String
  ) throws(StoreError) {
    if case .real(let real) = value, real.isNaN {
      throw StoreError(code: .invalidValue, reason: "\(label()) is NaN, which a store does not support")
    }
    switch type {
    case .int8: append(try integer(Int64.self, value, label), to: &bytes)
    case .int4: append(try integer(Int32.self, value, label), to: &bytes)
    case .int2: append(try integer(Int16.self, value, label), to: &bytes)
    case .float8: append(try real(value, label).bitPattern, to: &bytes)
    case .boolean:
      let integer = try integer(Int64.self, value, label)
      guard integer == 0 || integer == 1 else { throw mismatch(value, "a Boolean (0 or 1)", label) }
      bytes.append(UInt8(integer))
    case .bytes:
      guard case .blob(let data) = value else { throw mismatch(value, "bytes", label) }
      bytes.append(contentsOf: data)
    default: try appendText(value, to: &bytes, label)
    }
  }

  /// Appends an integer, the highest byte first.
  static func append<Integer: FixedWidthInteger>(_ integer: Integer, to bytes: inout [UInt8]) {
    for shift in stride(from: Integer.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: integer >> shift))
    }
  }

  private static func integer<Integer: FixedWidthInteger>(
    _: Integer.Type, _ value: StoreValue, _ label: () -> String
  ) throws(StoreError) -> Integer {
    switch value {
    case .integer(let integer):
      if let integer = Integer(exactly: integer) { return integer }
    case .real(let real):
      if let integer = Integer(exactly: real) { return integer }
    default: break
    }
    throw mismatch(value, "a \(Integer.bitWidth)-bit integer", label)
  }

  private static func real(_ value: StoreValue, _ label: () -> String) throws(StoreError) -> Double {
    switch value {
    case .real(let real): return real
    case .integer(let integer):
      if let real = Double(exactly: integer) { return real }
    default: break
    }
    throw mismatch(value, "a floating-point number", label)
  }

  private static func appendText(
    _ value: StoreValue, to bytes: inout [UInt8], _ label: () -> String
  ) throws(StoreError) {
    switch value {
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .real(let real): bytes.append(contentsOf: real.description.utf8)
    case .text(let text):
      let start = bytes.count
      bytes.append(contentsOf: text.utf8)
      guard !bytes[start...].contains(0) else {
        throw StoreError(
          code: .invalidValue, reason: "\(label()) contains a NUL character, which PostgreSQL does not support in text")
      }
    case .null, .blob: throw mismatch(value, "text", label)
    }
  }

  @inline(never)
  private static func mismatch(_ value: StoreValue, _ expected: String, _ label: () -> String) -> StoreError {
    StoreError(
      code: .invalidValue,
      reason: "\(label()) is of kind \(value.kind.rawValue), but PostgreSQL expects \(expected)")
  }
}

extension StoreValue {
  /// Returns the value in the form in which the server reads it as this type: the year 0 of a time is the year 1 BC.
  func withEra(in type: PostgresType) -> StoreValue {
    guard type == .timestamp, case .text(let text) = self, let text = StoredDate.textWithEra(text) else { return self }
    return .text(text)
  }
}
