/// An encoder that records values in a ``RecordedValue``.
struct ValueRecorder: Encoder {
  let place: RecordedValue
  let codingPlace: CodingPlace
  let userInfo: [CodingUserInfoKey: Any]

  var codingPath: [any CodingKey] { codingPlace.path }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place.recordKeys()
    return KeyedEncodingContainer(Keyed(recorder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.recordItems()
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

    func encodeNil() { recorder.place.recordNull() }
    func encode<T: Encodable>(_ value: T) { recorder.place.record(value) }
    func encode(_ value: Int128) { recorder.place.record(value) }
    func encode(_ value: UInt128) { recorder.place.record(value) }
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let recorder: ValueRecorder
    var codingPath: [any CodingKey] { recorder.codingPath }

    func encodeNil(forKey key: Key) { place(key).recordNull() }
    func encode<T: Encodable>(_ value: T, forKey key: Key) { place(key).record(value) }
    func encode(_ value: Int128, forKey key: Key) { place(key).record(value) }
    func encode(_ value: UInt128, forKey key: Key) { place(key).record(value) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(SuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func place(_ key: some CodingKey) -> RecordedValue { recorder.place.place(forKey: key.stringValue) }

    private func nested(_ key: some CodingKey) -> ValueRecorder {
      ValueRecorder(place: place(key), codingPlace: .below(recorder.codingPlace, key), userInfo: recorder.userInfo)
    }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let recorder: ValueRecorder
    var codingPath: [any CodingKey] { recorder.codingPath }
    var count: Int { recorder.place.items?.count ?? 0 }

    func encodeNil() { recorder.place.appendPlace().recordNull() }
    func encode<T: Encodable>(_ value: T) { recorder.place.appendPlace().record(value) }
    func encode(_ value: Int128) { recorder.place.appendPlace().record(value) }
    func encode(_ value: UInt128) { recorder.place.appendPlace().record(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      next().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    func superEncoder() -> any Encoder { next() }

    private func next() -> ValueRecorder {
      let codingPlace = CodingPlace.below(recorder.codingPlace, IndexKey(count))
      return ValueRecorder(place: recorder.place.appendPlace(), codingPlace: codingPlace, userInfo: recorder.userInfo)
    }
  }
}
