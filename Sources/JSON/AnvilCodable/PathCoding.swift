internal import AnvilBase

// Used by generated code for paths, aliases and cases. The underscore keeps the names out of code completion and documentation.

extension KeyedDecodingContainer {
  /// Returns the first of `keys` that is present; the first key if none is present.
  public func _firstKey(_ keys: Key...) -> Key { keys.first(where: contains) ?? keys[0] }

  /// Returns the container of `key`. If the key is missing or its value is null, returns a container without keys.
  ///
  /// - Throws: `DecodingError` if the value is not an object.
  public func _nestedContainerOrEmpty<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    guard contains(key), try !decodeNil(forKey: key) else {
      return KeyedDecodingContainer<NestedKey>(EmptyContainer(key: key, outer: self))
    }
    return try nestedContainer(keyedBy: type, forKey: key)
  }

  /// Decodes the value of `key`. Returns `nil` if the key is missing, and `.some(nil)` if its value is null.
  ///
  /// - Throws: The error of decoding the value.
  public func _decodeOrNull<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value?? {
    guard contains(key) else { return nil }
    let value = try decodeIfPresent(type, forKey: key)
    if case nil = value, isOpen(key) { return nil }
    return .some(value)
  }

  /// Returns whether the value of `key` belongs to a document that is still coming, and has not ended.
  func isOpen(_ key: Key) -> Bool { (try? superDecoder(forKey: key))?.isAtOpenValue ?? false }

  /// Returns the result of `decode`; `nil` if this fails and the value of `key` has not ended.
  func unlessOpen<Value>(_ key: Key, _ decode: () throws -> Value?) throws -> Value? {
    do {
      return try decode()
    } catch {
      guard isOpen(key) else { throw error }
      return nil
    }
  }
}

extension Decoder {
  /// Decodes the members of the object whose keys are not in `keys`, except for the tags of enumerations that are in the same object.
  ///
  /// - Throws: The error of decoding a value.
  public func _rest<Value: Decodable, Keys: CodingKey>(except keys: Keys.Type) throws -> [String: Value] {
    let container = try container(keyedBy: DataKey.self)
    let tags = outerTags
    let converting = self as? any KeyConvertingDecoder
    var rest: [String: Value] = [:]
    for key in container.allKeys where rest[key.stringValue] == nil {
      let modelKey = converting?.convertedKey(key.stringValue) ?? key.stringValue
      if keys.contains(modelKey) || tags.contains(where: modelKey.hasSameBytes) { continue }
      rest[key.stringValue] = try container.unlessOpen(key) { try container.decode(Value.self, forKey: key) }
    }
    return rest
  }
}

extension Encoder {
  /// Encodes the members in `rest` whose keys are not in `keys`, in the order of their keys.
  ///
  /// - Throws: The error of encoding a value.
  public func _encode<Value: Encodable, Keys: CodingKey>(rest: [String: Value], except keys: Keys.Type) throws {
    var container = container(keyedBy: DataKey.self)
    let written = convertedKeys(of: keys)
    for (key, value) in rest.sorted(by: { $0.key < $1.key })
    where !keys.contains(key) && !written.contains(ScalarKey(key)) {
      try container.encode(value, forKey: DataKey(stringValue: key))
    }
  }
}

/// The container of an object that is missing.
private struct EmptyContainer<Key: CodingKey, OuterKey: CodingKey>: KeyedDecodingContainerProtocol {
  let key: OuterKey
  let outer: KeyedDecodingContainer<OuterKey>

  // Computed, because a decoder may have to count elements to compute its path.
  var codingPath: [any CodingKey] { outer.codingPath + [key] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { false }
  func decodeNil(forKey key: Key) throws -> Bool { throw missing(key) }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { throw missing(key) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw missing(key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { throw missing(key) }

  // As in other containers, the decoder of a missing key has the `userInfo` of the others.
  func superDecoder() throws -> any Decoder { try outer.superDecoder(forKey: key) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      .init(codingPath: codingPath, debugDescription: "No value for the key \(key.stringValue): its object is missing.")
    )
  }
}

// The errors for values that are not one of the cases of an enumeration. All ways of reading have the same words.
extension CodingStrategyError {
  /// Returns the problem of a text or tag that is not one of `cases`.
  fileprivate static func noCase<T>(of type: T.Type, _ cases: [String]) -> String {
    "no such case of \(type)" + (cases.isEmpty ? "" : ", which has \(cases.joined(separator: ", "))")
  }

  /// Returns the problem of an object that has `count` of the keys `cases`, and should have one.
  fileprivate static func noKey<T>(of type: T.Type, _ cases: [String], found count: Int) -> String {
    let list = cases.isEmpty ? "" : " (\(cases.joined(separator: ", ")))"
    return
      "expected one key, the name of a case of \(type)\(list), found \(count == 0 ? "none" : "several") of them"
  }

  /// Returns the error for an object without exactly one known case name among its keys.
  public static func _noCase<T, Key: CodingKey>(of type: T.Type, in container: KeyedDecodingContainer<Key>) -> any Error
  {
    let cases = EnumMetadata.cases(of: Key.self).map(\.stringValue)
    let problem = noKey(of: type, cases, found: container.allKeys.count)
    return DecodingError.typeMismatch(
      type,
      .init(
        codingPath: container.codingPath, debugDescription: "E\(problem.dropFirst()).",
        underlyingError: UnknownCase(cases)))
  }

  /// Returns the error for an unknown tag. `cases` are the tags of the cases.
  public static func _noCase<T, Key: CodingKey>(
    of type: T.Type, forKey key: Key, in container: KeyedDecodingContainer<Key>, cases: [String] = []
  ) -> any Error {
    DecodingError.dataCorrupted(unknown(type, at: container.codingPath + [key], cases))
  }

  /// Returns the error for a string that is not the text of a case. `cases` are the texts of the cases.
  public static func _noCase<T>(of type: T.Type, in decoder: any Decoder, cases: [String] = []) -> any Error {
    DecodingError.dataCorrupted(unknown(type, at: decoder.codingPath, cases))
  }

  private static func unknown<T>(
    _ type: T.Type, at path: [any CodingKey], _ cases: [String]
  ) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: path, debugDescription: "There is \(noCase(of: type, cases)).",
      underlyingError: UnknownCase(cases))
  }
}

extension JSON.Reader {
  /// Returns the error for the text at `offset`, which is not one of `cases`, the texts of the cases.
  @inline(never)
  public func _noCase<T>(of type: T.Type, _ cases: [String], at offset: Int) -> JSON.ReadingError {
    unknownCase(type, cases, CodingStrategyError.noCase(of: type, cases), from: offset)
  }

  /// Returns the error for the tag `key` of the object that begins here, which is not one of `cases`, the tags of the cases.
  @inline(never)
  public func _noCase<T>(of type: T.Type, forKey key: String, _ cases: [String]) -> JSON.ReadingError {
    unknownCase(type, cases, CodingStrategyError.noCase(of: type, cases), at: [.key(key)], from: offset)
  }

  /// Returns the error for the object at `offset`, which has `count` of the keys `cases` and should have one.
  @inline(never)
  public func _noKey<T>(of type: T.Type, _ cases: [String], found count: Int, at offset: Int) -> JSON.ReadingError {
    unknownCase(type, cases, CodingStrategyError.noKey(of: type, cases, found: count), from: offset)
  }

  private func unknownCase<T>(
    _ type: T.Type, _ cases: [String], _ problem: String, at steps: [JSON.Step] = [], from offset: Int
  ) -> JSON.ReadingError {
    dataCorrupted(problem, at: steps, from: offset, expecting: .init("\(type)", cases: cases))
  }
}

extension _Expansion {
  /// Returns the type of the property wrapper that `wrapper` returns. The closure is not called; from it the compiler infers the type.
  @inlinable
  public static func wrapper<Model, Wrapper>(_ wrapper: (Model) -> Wrapper) -> Wrapper.Type { Wrapper.self }

  /// Returns `nil`, the initial value of a variable for the property wrapper that `wrapper` returns. The closure is not called; from it the
  /// compiler infers the type of the variable.
  @inlinable
  public static func unread<Model, Wrapper>(_ wrapper: (Model) -> Wrapper) -> Wrapper? { nil }

  /// Returns `nil` for a property wrapper that may be `null`, like ``unread(_:)``.
  @inlinable
  public static func unreadOrNull<Model, Wrapper>(_ wrapper: (Model) -> Wrapper) -> Wrapper?? { nil }
}
