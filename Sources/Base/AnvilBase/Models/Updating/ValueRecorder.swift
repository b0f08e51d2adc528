/// An encoder that records values in a ``RecordedValue``.
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
