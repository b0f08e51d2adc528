internal import Synchronization

/// An enumeration whose cases are identified by a member of an object. `@JSONTagged(by:)` writes the conformance.
public protocol _TaggedByMember: SendableMetatype {
  /// The key of the member that identifies the case.
  static var _tagKey: String { get }
  /// The types of the values of cases that are coded in the same object as the tag. A value of the case for unknown tags includes the tag.
  static var _taggedValues: [(type: any Any.Type, isUnknown: Bool)] { get }
}

/// Values that cannot be in the same object as the tag of an enumeration.
///
/// An object has one member for each key. If a value is itself identified by a member with the same key, the value's case would be lost, and
/// a value that contains the enumeration again would be read without end.
private enum TagConflict {
  private struct Use: Hashable {
    let outer: ObjectIdentifier
    let value: ObjectIdentifier
    let isUnknown: Bool
  }

  private static let known = Mutex<[Use: Bool]>([:])

  /// Returns the reason why a case of `outer` cannot have a value of type `value` in the same object; `nil` if it can.
  static func reason(_ outer: any Any.Type, _ value: any Any.Type, isUnknown: Bool) -> String? {
    guard let tagged = value as? any _TaggedByMember.Type else { return nil }
    let use = Use(outer: ObjectIdentifier(outer), value: ObjectIdentifier(value), isUnknown: isUnknown)
    let isConflict =
      known.withLock { $0[use] }
      ?? {
        let key = isUnknown ? nil : (outer as? any _TaggedByMember.Type)?._tagKey
        var visited: Set<ObjectIdentifier> = []
        let isConflict = contains(tagged, key, outer, &visited)
        known.withLock { $0[use] = isConflict }
        return isConflict
      }()
    guard isConflict else { return nil }
    return
      "a case of \(outer) cannot have a value of \(value) in the same object, which is identified by the same member: "
      + "add content: to @JSONTagged"
  }

  /// Returns whether `type`, or a value in the same object, is `outer` or is identified by `key`.
  private static func contains(
    _ type: any _TaggedByMember.Type, _ key: String?, _ outer: any Any.Type, _ visited: inout Set<ObjectIdentifier>
  ) -> Bool {
    if type._tagKey == key || ObjectIdentifier(type) == ObjectIdentifier(outer) { return true }
    guard visited.insert(ObjectIdentifier(type)).inserted else { return false }
    for case let value as any _TaggedByMember.Type in type._taggedValues.map(\.type)
    where contains(value, key, outer, &visited) {
      return true
    }
    return false
  }
}

/// The values that are being decoded from one place. It detects a type that contains itself in the same object by its own `init(from:)`,
/// which would be decoded without end.
private final class TaggedValue: Sendable {
  /// A type may decode itself a few times from one place, as one that tries several forms. The position in an unknown format is only known
  /// by its depth, which is not unique if a value contains another document.
  private static let limit = 32
  @TaskLocal static var current: TaggedValue?

  /// The enumeration with the case of the value.
  private let type: any Any.Type
  /// True for the value of the case for unknown tags, which includes the tag.
  private let isUnknown: Bool
  private let place: Place
  private let outer: TaggedValue?

  enum Place: Equatable {
    case value(ObjectIdentifier, Int)
    case depth(Int)
  }

  init(_ type: any Any.Type, isUnknown: Bool, at place: Place, outer: TaggedValue?) {
    self.type = type
    self.isUnknown = isUnknown
    self.place = place
    self.outer = outer
  }

  /// Calls `decode` for a value of `type`. Returns `nil` if the type has been decoded too often at the same place.
  static func decode<Value>(
    _ type: any Any.Type, isUnknown: Bool, at place: Place, _ decode: () throws -> Value
  ) rethrows -> Value? {
    let value = TaggedValue(type, isUnknown: isUnknown, at: place, outer: current)
    var count = 0
    var next = value.outer
    while let enclosing = next, enclosing.place == place {
      if enclosing.type == type { count += 1 }
      next = enclosing.outer
    }
    guard count < limit else { return nil }
    return try $current.withValue(value) { try decode() }
  }

  /// Calls `read` for a value of `type` that a separate decoder decodes.
  static func reading<Value>(
    of type: any Any.Type, isUnknown: Bool, _ read: () throws(JSON.ReadingError) -> Value
  ) throws(JSON.ReadingError) -> Value {
    let value = TaggedValue(type, isUnknown: isUnknown, at: .depth(0), outer: current)
    return try $current.withValue(value) { Result { () throws(JSON.ReadingError) in try read() } }.get()
  }

  /// Returns the keys of the tags of the values that are being decoded at `place`, which has the depth `depth`.
  static func tags(at place: Place, depth: Int) -> [String] {
    var tags: [String] = []
    var next = current
    while let value = next, value.place == place || value.place == .depth(depth) {
      if let tag = tag(of: value.type, isUnknown: value.isUnknown) { tags.append(tag) }
      next = value.outer
    }
    return tags
  }

  /// Returns the key of the member that identifies the case of `type`; `nil` if the value of the case includes it.
  static func tag(of type: any Any.Type, isUnknown: Bool) -> String? {
    isUnknown ? nil : (type as? any _TaggedByMember.Type)?._tagKey
  }

  static func reason(_ type: any Any.Type) -> String {
    "a value of \(type) contains itself in the same object without end"
  }
}

extension JSON.Reader {
  /// Reads the value of a case of `outer` from the object that also has the tag.
  public mutating func _value<Value: JSONReadable>(
    _ type: Value.Type, of outer: any Any.Type, isUnknown: Bool = false
  ) throws(JSON.ReadingError) -> Value {
    if let reason = TagConflict.reason(outer, type, isUnknown: isUnknown) { throw dataCorrupted(reason, at: offset) }
    guard !isUnknown else { return try read(type) }
    beginTaggedValue(of: outer)
    defer { endTaggedValue() }
    return try read(type)
  }

  /// Returns the keys of the tags in the object that begins here, whose value is read next. They belong to enumerations, and not to the value.
  public func _outerTags() -> [String] {
    enumerationsOfTaggedValue.compactMap { TaggedValue.tag(of: $0, isUnknown: false) }
  }

  /// Does the same for a value that is only `Decodable`.
  @_disfavoredOverload
  public mutating func _value<Value: Decodable>(
    _ type: Value.Type, of outer: any Any.Type, isUnknown: Bool = false
  ) throws(JSON.ReadingError) -> Value {
    if let reason = TagConflict.reason(outer, type, isUnknown: isUnknown) { throw dataCorrupted(reason, at: offset) }
    // The value is read by a decoder that begins with it.
    return try TaggedValue.reading(of: outer, isUnknown: isUnknown) { () throws(JSON.ReadingError) in try read(type) }
  }
}

extension Decoder {
  /// Decodes the value of a case of `outer` from the object that also has the tag.
  ///
  /// - Throws: The error of decoding the value. `DecodingError.dataCorrupted` if the object would contain two tags with one key, or values
  ///   without end.
  public func _value<Value: Decodable>(
    _ type: Value.Type, of outer: any Any.Type, isUnknown: Bool = false
  ) throws -> Value {
    var reason = TagConflict.reason(outer, type, isUnknown: isUnknown)
    if reason == nil {
      let value = try TaggedValue.decode(outer, isUnknown: isUnknown, at: taggedPlace) {
        try singleValueContainer().decode(type)
      }
      if let value { return value }
      reason = TaggedValue.reason(outer)
    }
    throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: reason ?? ""))
  }

  private var taggedPlace: TaggedValue.Place {
    documentPlace.map { .value($0.document, $0.index) } ?? .depth(codingPath.count)
  }

  /// The keys of the tags in the object of this decoder, which belong to enumerations with a case whose value is in the same object.
  var outerTags: [String] {
    TaggedValue.current == nil ? [] : TaggedValue.tags(at: taggedPlace, depth: codingPath.count)
  }
}

extension JSON.Writer {
  /// Writes the value of a case of `outer` with the tag as the first member.
  public mutating func _write<Value: JSONWritable, Tag: JSONWritable>(
    _ value: Value, of outer: any Any.Type, taggedBy key: StaticString, _ tag: Tag
  ) {
    if let reason = TagConflict.reason(outer, Value.self, isUnknown: false) { return fail(reason) }
    write(value, taggedBy: key, tag)
  }

  /// Does the same for a value that is only `Encodable`.
  @_disfavoredOverload
  public mutating func _write<Value: Encodable, Tag: JSONWritable>(
    _ value: Value, of outer: any Any.Type, taggedBy key: StaticString, _ tag: Tag
  ) {
    if let reason = TagConflict.reason(outer, Value.self, isUnknown: false) { return fail(reason) }
    write(value, taggedBy: key, tag)
  }
}

extension Encoder {
  /// Encodes the value of a case of `outer` into the object that also has the tag.
  ///
  /// - Throws: The error of encoding the value. `EncodingError.invalidValue` if the object would contain two tags with one key.
  public func _encode<Value: Encodable>(_ value: Value, of outer: any Any.Type) throws {
    if let reason = TagConflict.reason(outer, Value.self, isUnknown: false) {
      throw EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: reason))
    }
    try value.encode(to: self)
  }
}

/// The value of a tag, which may be a string, a number or a Boolean.
private struct TagText: Decodable {
  let text: String?

  init(from decoder: any Decoder) throws {
    if let kind = decoder.jsonKind {
      text =
        kind == .string
        ? try decoder.singleValueContainer().decode(String.self) : try JSON(from: decoder).tagText
    } else if let decoder = decoder as? any DocumentDecoder {
      text = try decoder.decode(JSON.self).tagText
    } else if let string = try? decoder.singleValueContainer().decode(String.self) {
      text = string
    } else {
      text = try? JSON(from: decoder).tagText
    }
  }
}

extension KeyedDecodingContainer {
  /// Returns the text of the tag `key`.
  ///
  /// - Throws: `DecodingError` if the tag is missing, or not a string, a number or a Boolean.
  public func _tag(forKey key: Key) throws -> String {
    // The error of a missing tag, and of one of another type, is that of a string.
    guard contains(key), try !decodeNil(forKey: key), let text = try decode(TagText.self, forKey: key).text else {
      return try decode(String.self, forKey: key)
    }
    return text
  }

  /// Returns the text of the tag `key`; `nil` if it is missing, or not a string, a number or a Boolean.
  public func _tagIfPresent(forKey key: Key) -> String? {
    guard contains(key) else { return nil }
    return (try? decodeIfPresent(TagText.self, forKey: key))?.text
  }
}
