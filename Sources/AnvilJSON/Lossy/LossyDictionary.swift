/// A dictionary that leaves out the members that do not decode, and reports them.
///
///     struct Game: Codable {
///       @LossyDictionary var scores: [String: Int]
///     }
///
/// A member is left out whatever is wrong with its value, `null` included where the type has none, and when its key is none
/// of the keys' type, such as `x` for `Int`, or the same as another's, `1` and `01`. What is no dictionary at all, `null`,
/// and a missing key are errors as for a plain dictionary; write `@Default.EmptyDictionary @LossyDictionary` where they stand
/// for none.
///
/// Reported with the code ``DecodingReport/Code/skippedMember``. Keys are as they stand in the text, whatever the decoder's
/// strategy for keys, as in plain dictionaries. Encodes as a dictionary by strings.
@propertyWrapper
public struct LossyDictionary<Key: Hashable & CodingKeyRepresentable, Value> {
  /// The members that did decode.
  public var wrappedValue: [Key: Value]
  /// How many were left out when the dictionary was decoded.
  public private(set) var skippedCount = 0

  /// A dictionary of `members`.
  public init(wrappedValue members: [Key: Value]) { wrappedValue = members }

  /// The dictionary itself, for its ``skippedCount``.
  public var projectedValue: LossyDictionary { self }
}

extension LossyDictionary: Decodable where Value: Decodable {
  /// The members that decode.
  ///
  /// - Throws: `DecodingError` for what is no dictionary.
  public init(from decoder: any Swift.Decoder) throws {
    // A dictionary by strings in one: containers would hand out keys that a strategy has converted.
    let attempts = try decoder.singleValueContainer().decode([String: Attempt<Value, MemberPart>].self)
    var members: [Key: Value] = [:]
    members.reserveCapacity(attempts.count)
    if Key.self == String.self {
      for case (let key as Key, let attempt) in attempts { members[key] = attempt.value }
    } else {
      // In an order of their own, so that of two that are the same the same is always taken.
      for (name, attempt) in attempts.sorted(by: { $0.key < $1.key }) {
        guard let value = attempt.value else { continue }
        if let problem = members.insert(value, forKeyNamed: name) {
          decoder.report?.record(
            DecodingReport.Entry(
              .skippedMember, at: decoder.path.appending(JSON.Path(name)), problem))
        }
      }
    }
    wrappedValue = members
    skippedCount = attempts.count - members.count
  }
}

extension Dictionary where Key: CodingKeyRepresentable {
  /// Inserts a value by the text of its key.
  ///
  /// - Returns: Why there is no such key, or no room for it.
  fileprivate mutating func insert(_ value: Value, forKeyNamed name: String) -> String? {
    guard let key = Key(codingKey: MemberKey(stringValue: name)) else {
      return "not a key of type \(TypeName.of(Key.self))"
    }
    guard self[key] == nil else { return "a key that another member has" }
    self[key] = value
    return nil
  }
}

/// A key of a dictionary: by number, too, where its text is one.
private struct MemberKey: CodingKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }

  init(stringValue: String) { self.stringValue = stringValue }

  init(intValue: Int) { stringValue = String(intValue) }
}

extension LossyDictionary: Encodable where Value: Encodable {
  /// Encodes the members as a dictionary by strings.
  ///
  /// - Throws: what encoding a value throws.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    let members = wrappedValue.map { ($0.codingKey.stringValue, $1) }
    try container.encode(Dictionary(members, uniquingKeysWith: { first, _ in first }))
  }
}

extension LossyDictionary: Equatable where Value: Equatable {
  /// Whether both have the same members, whatever was left out.
  public static func == (left: LossyDictionary, right: LossyDictionary) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension LossyDictionary: Hashable where Value: Hashable {
  /// Feeds the members.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyDictionary: Sendable where Key: Sendable, Value: Sendable {}

extension LossyDictionary: ExpressibleByDictionaryLiteral {
  /// A dictionary of `elements`; of those that share a key, the first.
  public init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(wrappedValue: Dictionary(elements, uniquingKeysWith: { first, _ in first }))
  }
}
