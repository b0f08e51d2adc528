internal import AnvilBase
internal import AnvilJSON

/// A dictionary that leaves out members that do not decode, and reports them.
///
///     struct Game: Codable {
///       @LossyDictionary var scores: [String: Int]
///     }
///
/// A member is left out if its value does not decode for any reason, including `null` where the value type does not accept it.
/// It is also left out if its key is not valid for the key type, such as `x` for `Int`, or equals another member's, such as `1`
/// and `01`. A value that is not a dictionary, `null`, and a missing key are errors as for a plain dictionary. To accept null
/// and a missing key, write an optional `LossyDictionary` or, with `@JSONCodable`, `@CodableDefault([:]) @LossyDictionary`.
///
/// Skipped members are reported with the code ``DecodingReport/Code/skippedMember``. Keys are not converted by the decoder's
/// key strategy, as in plain dictionaries. Encodes as a dictionary with string keys.
@propertyWrapper
public struct LossyDictionary<Key: Hashable & CodingKeyRepresentable, Value> {
  /// The decoded members.
  public var wrappedValue: [Key: Value]
  /// The number of members that were left out when the dictionary was decoded.
  public private(set) var skippedCount = 0

  /// Creates a dictionary of `members`.
  public init(wrappedValue members: [Key: Value]) { wrappedValue = members }

  /// The wrapper itself, which gives access to ``skippedCount``.
  public var projectedValue: LossyDictionary { self }
}

extension LossyDictionary: Decodable where Value: Decodable {
  /// Decodes a dictionary and leaves out invalid members.
  ///
  /// - Throws: `DecodingError` for a value that is not a dictionary.
  public init(from decoder: any Swift.Decoder) throws {
    // Decoded as one dictionary with string keys: a keyed container would return keys that a strategy has converted.
    let attempts = try decoder.singleValueContainer().decode([String: Attempt<Value, MemberPart>].self)
    let members = attempts.compactMapValues(\.value)
    self.init(members, skippedCount: attempts.values.count(where: \.isSkipped)) { name, problem in
      decoder.report?.record(
        DecodingReport.Entry(.skippedMember, at: decoder.path.appending(JSON.Path(name)), problem))
    }
  }
}

extension LossyDictionary {
  /// Creates a dictionary of `members`. Calls `skip` with each name that is not a valid or unique key, and with the
  /// reason.
  ///
  /// - Parameter skippedCount: The number of members that were left out before.
  init(_ members: [String: Value], skippedCount: Int, skip: (_ name: String, _ problem: String) -> Void = { _, _ in }) {
    if Key.self == String.self, let members = members as? [Key: Value] {
      self.init(wrappedValue: members)
    } else {
      var unique: [Key: Value] = [:]
      unique.reserveCapacity(members.count)
      // Sorted, so that of two equal keys the same one is always kept.
      for (name, value) in members.sorted(on: { $0.key }) {
        if let problem = unique.insert(value, forKeyNamed: name) { skip(name, problem) }
      }
      self.init(wrappedValue: unique)
    }
    self.skippedCount = skippedCount + members.count - wrappedValue.count
  }

  var membersByName: [String: Value] {
    Dictionary(wrappedValue.map { ($0.codingKey.stringValue, $1) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Dictionary where Key: CodingKeyRepresentable {
  /// Inserts a value under the key with the given text.
  ///
  /// - Returns: the reason if the key is invalid or already used; otherwise `nil`.
  fileprivate mutating func insert(_ value: Value, forKeyNamed name: String) -> String? {
    guard let key = Key(codingKey: MemberKey(stringValue: name)) else {
      return "not a key of type \(TypeName.of(Key.self))"
    }
    guard self[key] == nil else { return "the same key as another member" }
    self[key] = value
    return nil
  }
}

/// A dictionary key whose `intValue` is the number in its text, if the text is a number.
private struct MemberKey: CodingKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }

  init(stringValue: String) { self.stringValue = stringValue }

  init(intValue: Int) { stringValue = String(intValue) }
}

extension LossyDictionary: Encodable where Value: Encodable {
  /// Encodes the members as a dictionary with string keys.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(membersByName)
  }
}

extension LossyDictionary: Equatable where Value: Equatable {
  /// Returns true if both dictionaries have the same members, regardless of how many were left out.
  public static func == (left: LossyDictionary, right: LossyDictionary) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension LossyDictionary: Hashable where Value: Hashable {
  /// Hashes the members.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyDictionary: Sendable where Key: Sendable, Value: Sendable {}

extension LossyDictionary: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary of `elements`. Of those that share a key, the first is kept.
  public init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(wrappedValue: Dictionary(elements, uniquingKeysWith: { first, _ in first }))
  }
}
