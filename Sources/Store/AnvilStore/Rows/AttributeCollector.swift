internal import AnvilBase
internal import AnvilJSON

/// A collector of the attributes of one model type, and of the attribute values of the model that is being encoded.
final class AttributeCollector {
  enum Shape {
    /// A keyed value that encodes each member by its key.
    case keyed
    /// A keyed value that also creates nested containers.
    case pieces
    /// A value that is not keyed.
    case other
  }

  var shape = Shape.other
  private(set) var attributes: [Attribute] = []
  let values = RowValues()
  private(set) var revision = 0
  /// The names of attributes whose columns are created with an index.
  private(set) var indexedNames: Set<String> = []
  /// The names of attributes whose values are `JSON` of any kind.
  private(set) var jsonNames: Set<String> = []

  private var indices: [String: Int] = [:]
  /// The keys under which the value creates nested containers.
  private var nestedKeys: [String] = []
  // Unowned, because the bindings retain this collector.
  private unowned let references: EntityBindings?
  private let json: JSON.Encoder
  // A column of an earlier version stores all digits of a date.
  private let probe = ScalarProbe(.nanoseconds)
  private let datePrecision: StoredDate.Precision

  init(references: EntityBindings?, datePrecision: StoredDate.Precision) {
    self.references = references
    self.datePrecision = datePrecision
    json = .ofColumns
  }

  func begin() {
    shape = .other
    if !nestedKeys.isEmpty { nestedKeys.removeAll() }
    values.clear()
  }

  func declare(_ names: [String]) {
    for name in names { _ = index(of: name) }
  }

  func declare(_ attribute: Attribute) {
    let index = index(of: attribute.name)
    guard attributes[index].type == nil, let type = attribute.type else { return }
    attributes[index] = attribute
    values.setType(type, at: index)
    revision &+= 1
  }

  func store(_ name: String, as type: StoredType) {
    guard let index = indices[name], attributes[index].type != type else { return }
    attributes[index] = Attribute(name, type)
    values.setType(type, at: index)
    revision &+= 1
  }

  func addNull(_ key: String, _ type: StoredType?) throws {
    try addNull(type, at: index(of: key))
  }

  func addNull(_ type: StoredType?, at index: Int) throws {
    values[index] = .null
    guard let type, attributes[index].type != type, attributes[index].type != .json else { return }
    if type == .timestamp, attributes[index].type == .date { return }
    try settle(index, type)
  }

  func add(_ date: Date, at index: Int) throws {
    let key = AttributeKey(attributes[index].name)
    do throws(UnstorableValue) {
      switch attributes[index].type {
      case .date: return values[index] = try date.storedNumber
      case .timestamp: return values[index] = try date.stored(datePrecision)
      default: break
      }
    } catch {
      throw EncodingError.unencodable(date, at: [key], "The value cannot be stored: \(error.reason).")
    }
    guard attributes[index].type != .json else { return try addJSON(date, key, index) }
    try settle(index, .timestamp)
    try add(date, at: index)
  }

  @inline(__always)
  func add<T: StoredScalar>(_ value: T, _ key: some CodingKey) throws {
    // Only the most frequent case is here. It is inlined into callers that know the type, because unspecialised generic code is slow.
    if let stored = try? value.stored, values.setNext(stored, T.storedType, key.stringValue) { return }
    try addNext(value, key)
  }

  @inline(__always)
  func add<T: StoredScalar>(_ value: T, at index: Int) throws {
    if let stored = try? value.stored, values.set(stored, T.storedType, at: index) { return }
    try addOther(scalar: value, AttributeKey(attributes[index].name), index)
  }

  @inline(never)
  private func addNext<T: StoredScalar>(_ value: T, _ key: some CodingKey) throws {
    try addOther(scalar: value, key, index(of: key.stringValue))
  }

  @inline(never)
  private func addOther<T: StoredScalar>(scalar value: T, _ key: some CodingKey, _ index: Int) throws {
    if attributes[index].type != T.storedType {
      guard attributes[index].type != .json else { return try addJSON(value, key, index) }
      try settle(index, T.storedType)
    }
    do throws(UnstorableValue) {
      values[index] = try value.stored
    } catch {
      throw EncodingError.unencodable(value, at: [key], "The value cannot be stored: \(error.reason).")
    }
  }

  /// Adds a value whose type does not determine the storage type. The storage type is determined by the form in which the value encodes
  /// itself.
  func addOther<T: Encodable>(_ value: T, _ key: some CodingKey) throws {
    // A probed type is neither stored directly nor a model with separate rows, so this comes before the checks below.
    if values.isProbed(T.self, key.stringValue), let scalar = try probe.scalar(of: value, at: key),
      let type = scalar.type, type != .timestamp,
      values.setNext(scalar.value, type, key.stringValue)
    {
      return
    }
    try addOther(value, key, index(of: key.stringValue))
  }

  func addOther<T: Encodable>(_ value: T, at index: Int) throws {
    try addOther(value, AttributeKey(attributes[index].name), index)
  }

  private func addOther<T: Encodable>(_ value: T, _ key: some CodingKey, _ index: Int) throws {
    if let date = identity(value, as: Date.self) { return try add(date, at: index) }
    if let value = storedAsItself(value) { return try add(value, at: index) }
    // An optional that was encoded with `encode` instead of `encodeIfPresent`.
    if let optional = value as any Encodable as? any EncodableOptional {
      guard let value = optional.encodable else { return try addNull(nil, at: index) }
      return try addOther(value, key, index)
    }
    if let stored = try references?.store(value) {
      try settle(index, stored.type, stored.reference)
      values[index] = stored.value
    } else if attributes[index].type == .json || attributes[index].type == nil && T.self == JSON.self {
      if attributes[index].type == nil { jsonNames.insert(attributes[index].name) }
      try settle(index, .json)
      try addJSON(value, key, index)
    } else if let scalar = try probe.scalar(of: value, at: key) {
      guard let type = scalar.type else { return values[index] = .null }
      if type == .timestamp, let date = Date(stored: scalar.value) { return try add(date, at: index) }
      noteIndex(of: value, at: index)
      try settle(index, type)
      values[index] = scalar.value
      values.noteProbing(T.self, at: index)
    } else {
      noteIndex(of: value, at: index)
      try settle(index, .json)
      try addJSON(value, key, index)
    }
  }

  private func noteIndex(of value: some Any, at index: Int) {
    if attributes[index].type == nil, value is any IndexedValue { indexedNames.insert(attributes[index].name) }
  }

  func addPieces(_ key: String) {
    shape = .pieces
    nestedKeys.append(key)
    _ = index(of: key)
  }

  /// Adds the members that `value` encodes with nested containers. They are taken from its JSON.
  func addNestedMembers(_ value: some Encodable) throws {
    let object = try JSON(parsing: json.encode(value))
    for key in nestedKeys {
      guard let member = object[key] else { continue }
      let index = index(of: key)
      try settle(index, .json)
      values[index] = .text(member.serializedText())
    }
  }

  private func addJSON<T: Encodable>(_ value: T, _ key: some CodingKey, _ index: Int) throws {
    do {
      values[index] = .text(try json.columnText(of: value))
    } catch EncodingError.invalidValue(let value, let context) {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: [key] + context.codingPath, debugDescription: context.debugDescription,
          underlyingError: context.underlyingError))
    }
  }

  private func index(of key: String) -> Int {
    // Most values encode the same keys in the same order, so that no key has to be looked up.
    if values.isNext(key) {
      values.next &+= 1
      return values.next &- 1
    }
    if let index = indices[key] {
      values.next = index &+ 1
      return index
    }
    indices[key] = attributes.count
    attributes.append(Attribute(key, nil))
    values.append(key)
    revision &+= 1
    values.next = attributes.count
    return attributes.count &- 1
  }

  private func settle(_ index: Int, _ type: StoredType, _ reference: EntityReference? = nil) throws {
    let attribute = attributes[index]
    if attribute.type == type, attribute.reference == reference { return }
    guard attribute.type == nil else {
      // The column may have rows already. It would be of JSON if the first value had been.
      let advice =
        type == .json && reference == nil ? "; a type that is coded in both forms needs a struct around it" : ""
      throw StoreError(
        code: .schemaMismatch,
        reason: """
          the attribute \(attribute.name) is \(attribute.kind), but a value is \(Attribute(attribute.name, type, reference).kind)\
          \(advice)
          """)
    }
    attributes[index].type = type
    values.setType(type, at: index)
    attributes[index].reference = reference
    revision &+= 1
  }
}

extension JSON.Encoder {
  /// Returns an encoder of values in JSON columns. Other programs can read the dates.
  static var ofColumns: JSON.Encoder {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.dateEncodingStrategy = .rfc3339
    return encoder
  }

  /// Returns the text of a value in a JSON column. Equal values have equal text, except for sets within other values.
  func columnText(of value: some Encodable) throws -> String {
    guard let parts = try (value as? any UnorderedValue)?.parts(by: self) else {
      return String(decoding: try encode(value), as: UTF8.self)
    }
    return "[\(parts.sorted().joined(separator: ","))]"
  }
}

/// A value that encodes itself in the order of a hash table, which differs in each process.
private protocol UnorderedValue {
  /// Returns the JSON of the elements; `nil` if they have names, by which the encoder sorts them.
  func parts(by encoder: JSON.Encoder) throws -> [String]?
}

extension Set: UnorderedValue where Element: Encodable {
  func parts(by encoder: JSON.Encoder) throws -> [String]? { try map { try encoder.columnText(of: $0) } }
}

extension Dictionary: UnorderedValue where Key: Encodable, Value: Encodable {
  func parts(by encoder: JSON.Encoder) throws -> [String]? {
    if Key.self is any CodingKeyRepresentable.Type { return nil }
    return try map { "\(try encoder.columnText(of: $0)),\(try encoder.columnText(of: $1))" }
  }
}

struct AttributeKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension StoredType {
  /// Returns the stored form of the value under `key`; `nil` if it is absent, null or not a single value.
  func decode(
    _ key: AttributeKey, from container: KeyedDecodingContainer<AttributeKey>, _ precision: StoredDate.Precision
  ) -> StoreValue? {
    do throws(UnstorableValue) {
      return switch self {
      case .integer: try value(Int64.self, key, container)?.stored
      case .real: try value(Double.self, key, container)?.stored
      case .boolean: value(Bool.self, key, container)?.stored
      case .text: value(String.self, key, container)?.stored
      case .timestamp: try value(Date.self, key, container)?.stored(precision)
      case .date: try value(Date.self, key, container)?.storedNumber
      case .data: value(Data.self, key, container)?.stored
      case .uuid: value(UUID.self, key, container)?.stored
      case .url: value(URL.self, key, container)?.stored
      case .decimal: try value(Decimal.self, key, container)?.stored
      case .json: nil
      }
    } catch {
      return nil
    }
  }

  private func value<Value: Decodable>(
    _ type: Value.Type, _ key: AttributeKey, _ container: KeyedDecodingContainer<AttributeKey>
  ) -> Value? {
    try? container.decodeIfPresent(type, forKey: key)
  }
}

/// An optional, for use without its wrapped type.
protocol OptionalType {
  static var wrapped: any Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: any Any.Type { Wrapped.self }
}

/// An optional that can be encoded without knowing its type.
protocol EncodableOptional {
  var encodable: (any Encodable)? { get }
}

extension Optional: EncodableOptional where Wrapped: Encodable {
  var encodable: (any Encodable)? { map { $0 as any Encodable } }
}

/// An optional that can be decoded without knowing its type.
protocol DecodableOptional {
  /// Calls `decode` with the wrapped type and returns its result as an optional.
  static func decode(_ decode: (any Decodable.Type) throws -> any Decodable) throws -> Self
}

extension Optional: DecodableOptional where Wrapped: Decodable {
  static func decode(_ decode: (any Decodable.Type) throws -> any Decodable) throws -> Wrapped? {
    try decode(Wrapped.self) as? Wrapped
  }
}
