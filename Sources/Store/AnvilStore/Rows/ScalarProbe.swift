internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
  /// The key of the value that is being encoded, for errors.
  private var key: (any CodingKey)?
  private var path: [any CodingKey] { key.map { [$0] } ?? [] }

  /// Returns the stored form of `value`; `nil` if it encodes itself in a keyed or unkeyed container, or encodes nothing.
  static func stored(_ value: some Encodable) throws -> Scalar? {
    let probe = ScalarProbe()
    guard let itself = storedAsItself(value) else { return try probe.scalar(of: value, at: nil) }
    return try probe.scalar(ofItself: itself)
  }

  private func scalar<T: StoredScalar>(ofItself value: T) throws -> Scalar {
    do throws(UnstorableValue) {
      return Scalar(type: T.storedType, value: try value.stored)
    } catch {
      throw EncodingError.unencodable(value, at: path, "The value cannot be stored: \(error.reason).")
    }
  }

  /// Returns the stored form of `value`, or `nil` if it encodes itself in a keyed or unkeyed container, or encodes nothing.
  ///
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

    func encode(_ value: Bool) throws { try take(value) }
    func encode(_ value: String) throws { try take(value) }
    func encode(_ value: Double) throws { try take(value) }
    func encode(_ value: Float) throws { try take(value) }
    func encode(_ value: Int) throws { try take(value) }
    func encode(_ value: Int8) throws { try take(value) }
    func encode(_ value: Int16) throws { try take(value) }
    func encode(_ value: Int32) throws { try take(value) }
    func encode(_ value: Int64) throws { try take(value) }
    func encode(_ value: Int128) throws { try take(value) }
    func encode(_ value: UInt) throws { try take(value) }
    func encode(_ value: UInt8) throws { try take(value) }
    func encode(_ value: UInt16) throws { try take(value) }
    func encode(_ value: UInt32) throws { try take(value) }
    func encode(_ value: UInt64) throws { try take(value) }
    func encode(_ value: UInt128) throws { try take(value) }

    private func take<T: StoredScalar>(_ value: T) throws {
      probe.scalar = try probe.scalar(ofItself: value)
    }
  }
}

/// Returns the value if its type is a type of Foundation that columns store directly.
func storedAsItself<T>(_ value: T) -> (any StoredScalar)? {
  if T.self == Date.self { return value as? Date }
  if T.self == UUID.self { return value as? UUID }
  if T.self == URL.self { return value as? URL }
  if T.self == Data.self { return value as? Data }
  return T.self == Decimal.self ? value as? Decimal : nil
}
