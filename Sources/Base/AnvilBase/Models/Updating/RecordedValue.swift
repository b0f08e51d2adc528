/// The result of `encode(to:)` at one position of an old value: values, not bytes.
///
/// The parts of a value are recorded only when they are needed, so that keeping an array of a million elements costs nothing.
/// At most one of `value`, `keys` and `items` is set. For a null, and for a value that encoded nothing, all three are `nil`.
final class RecordedValue {
  /// A value that was encoded as a single value. An optional is recorded as its wrapped value or as null.
  private(set) var value: (any Encodable)?
  /// The values of a keyed container by the string of their key.
  private(set) var keys: [String: RecordedValue]?
  /// The keys whose optional values were absent when they were encoded.
  private var absentKeys: Set<String> = []
  /// The values of an unkeyed container.
  private(set) var items: [RecordedValue]?
  private(set) var isNull = false

  private var expansion: RecordedValue?

  init() {}

  init(_ value: any Encodable) {
    record(value)
  }

  /// Ends the search for a readable value, because some values encode themselves as themselves.
  private static let longestChain = 32
}

extension RecordedValue {
  func record(_ value: any Encodable) {
    (keys, items) = (nil, nil)
    if let optional = value as? any OptionalValue {
      self.value = optional.wrapped as? any Encodable
      isNull = self.value == nil
    } else {
      self.value = value
      isNull = false
    }
  }

  func recordNull() {
    (value, keys, items) = (nil, nil, nil)
    isNull = true
  }

  /// Starts a keyed container. A type may request it more than once: recorded values are kept.
  func recordKeys() {
    (value, items, isNull) = (nil, nil, false)
    if keys == nil { keys = [:] }
  }

  func recordItems() {
    (value, keys, isNull) = (nil, nil, false)
    if items == nil { items = [] }
  }

  /// Returns the position of `key`, which may already have recorded values. Call `recordKeys()` first.
  func value(forKey key: String) -> RecordedValue {
    if let recorded = keys?[key] { return recorded }
    let recorded = RecordedValue()
    keys?[key] = recorded
    return recorded
  }

  /// Records that the value of `key` is encoded if it is present, and is absent.
  func recordAbsence(ofKey key: String) { absentKeys.insert(key) }

  /// Returns whether the value of `key` is encoded when it is present.
  func writes(_ key: String) -> Bool { keys?[key] != nil || absentKeys.contains(key) }

  /// Appends a new position and returns it. Call `recordItems()` first.
  func appendValue() -> RecordedValue {
    let recorded = RecordedValue()
    items?.append(recorded)
    return recorded
  }

  /// Returns the encoded form of the single value at this position, one level deep. Returns this position itself if it has no single value.
  ///
  /// - Throws: An error of the value's `encode(to:)`.
  func expanded(at codingPosition: CodingPosition, userInfo: [CodingUserInfoKey: Any]) throws -> RecordedValue {
    guard let value else { return self }
    if let expansion { return expansion }
    let expansion = RecordedValue()
    try value.encode(to: ValueRecorder(target: expansion, codingPosition: codingPosition, userInfo: userInfo))
    self.expansion = expansion
    return expansion
  }

  /// The first result that is not `nil` of `accept` for this position, the encoded form of its value, the form of that, and so on.
  func first<Result>(
    at codingPosition: CodingPosition, userInfo: [CodingUserInfoKey: Any], where accept: (RecordedValue) -> Result?
  ) throws -> Result? {
    var recorded = self
    for _ in 0..<Self.longestChain {
      if let result = accept(recorded) { return result }
      guard recorded.value != nil else { return nil }
      recorded = try recorded.expanded(at: codingPosition, userInfo: userInfo)
    }
    return nil
  }

  /// Returns the value as a `T`: the value itself, or the same number in a different type.
  func value<T>(as type: T.Type) -> T? {
    guard let value else { return nil }
    return value as? T ?? number(value, as: type)
  }

  /// Returns the value updated from `decoder`; `nil` if it is not a `T` or not updatable.
  func updated<T>(as type: T.Type, from decoder: any Decoder) throws -> T? {
    guard let value, value is T, var updatable = value as? any DecoderUpdatable else { return nil }
    try updatable.update(from: decoder)
    return updatable as? T
  }
}

private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  /// The innermost wrapped value.
  fileprivate var wrapped: Any? {
    guard let self else { return nil }
    guard let inner = self as? any OptionalValue else { return self }
    return inner.wrapped
  }
}

/// Returns `value` as the number type `type`, for types that encode themselves as one number type and decode another.
///
/// Integers are converted only if they are exact. Floating-point values are rounded, as formats do.
private func number<T>(_ value: any Encodable, as type: T.Type) -> T? {
  func integer<N: BinaryInteger>(_: N.Type) -> N? {
    if let value = value as? any BinaryInteger { return N(exactly: value) }
    if let value = value as? any BinaryFloatingPoint { return exact(value) }
    return nil
  }
  func exact<N: BinaryInteger>(_ value: some BinaryFloatingPoint) -> N? { N(exactly: value) }
  func real<N: BinaryFloatingPoint>(_: N.Type) -> N? {
    if let value = value as? any BinaryInteger { return N(value) }
    if let value = value as? any BinaryFloatingPoint { return N(value) }
    return nil
  }
  if let type = type as? any BinaryInteger.Type { return integer(type) as? T }
  if let type = type as? any BinaryFloatingPoint.Type { return real(type) as? T }
  return nil
}

/// The key under which a class stores the values encoded by its superclass.
package struct SuperKey: CodingKey {
  package var stringValue: String { "super" }
  package var intValue: Int? { nil }

  package init() {}
  package init?(stringValue: String) { guard stringValue == "super" else { return nil } }
  package init?(intValue: Int) { nil }
}

/// The index of an element in a coding path, counted from 0.
package struct IndexKey: CodingKey {
  package let index: Int
  package var stringValue: String { "Index \(index)" }
  package var intValue: Int? { index }

  package init(_ index: Int) { self.index = index }
  package init?(stringValue: String) { nil }
  package init?(intValue: Int) { index = intValue }
}

struct ValueRecorder: Encoder {
  let target: RecordedValue
  let codingPosition: CodingPosition
  let userInfo: [CodingUserInfoKey: Any]

  var codingPath: [any CodingKey] { codingPosition.path }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    target.recordKeys()
    return KeyedEncodingContainer(Keyed(recorder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    target.recordItems()
    return Unkeyed(recorder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(recorder: self)
  }
}

// 128-bit integers are implemented in every container: the default implementations reject them.

extension ValueRecorder {
  private struct Single: SingleValueEncodingContainer {
    let recorder: ValueRecorder
    var codingPath: [any CodingKey] { recorder.codingPath }

    func encodeNil() { recorder.target.recordNull() }
    func encode<T: Encodable>(_ value: T) { recorder.target.record(value) }
    func encode(_ value: Int128) { recorder.target.record(value) }
    func encode(_ value: UInt128) { recorder.target.record(value) }
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let recorder: ValueRecorder
    var codingPath: [any CodingKey] { recorder.codingPath }

    func encodeNil(forKey key: Key) { target(key).recordNull() }
    func encode<T: Encodable>(_ value: T, forKey key: Key) { target(key).record(value) }
    func encode(_ value: Int128, forKey key: Key) { target(key).record(value) }
    func encode(_ value: UInt128, forKey key: Key) { target(key).record(value) }

    // The default implementations would not record which keys the type has.

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { record(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) { record(value, key) }

    private func record(_ value: (some Encodable)?, _ key: Key) {
      guard let value else { return recorder.target.recordAbsence(ofKey: key.stringValue) }
      target(key).record(value)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(SuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func target(_ key: some CodingKey) -> RecordedValue { recorder.target.value(forKey: key.stringValue) }

    private func nested(_ key: some CodingKey) -> ValueRecorder {
      ValueRecorder(
        target: target(key), codingPosition: .below(recorder.codingPosition, key), userInfo: recorder.userInfo)
    }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let recorder: ValueRecorder
    var codingPath: [any CodingKey] { recorder.codingPath }
    var count: Int { recorder.target.items?.count ?? 0 }

    func encodeNil() { recorder.target.appendValue().recordNull() }
    func encode<T: Encodable>(_ value: T) { recorder.target.appendValue().record(value) }
    func encode(_ value: Int128) { recorder.target.appendValue().record(value) }
    func encode(_ value: UInt128) { recorder.target.appendValue().record(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      next().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    func superEncoder() -> any Encoder { next() }

    private func next() -> ValueRecorder {
      let codingPosition = CodingPosition.below(recorder.codingPosition, IndexKey(count))
      return ValueRecorder(
        target: recorder.target.appendValue(), codingPosition: codingPosition, userInfo: recorder.userInfo)
    }
  }
}
