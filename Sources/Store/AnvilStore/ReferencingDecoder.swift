internal import AnvilBase
internal import AnvilJSON

/// A decoder that wraps another one. It creates or updates models with separate rows instead of only decoding them.
struct ReferencingDecoder: DecodingNode {
  let base: any Decoder
  let transaction: StoreTransaction
  let userInfo: [CodingUserInfoKey: Any]

  init(base: any Decoder, transaction: StoreTransaction) {
    self.base = base
    self.transaction = transaction
    let bindings = transaction.bindings
    userInfo = ValueIdentity { bindings.kind(of: $0) != .none }.added(to: base.userInfo)
  }

  var codingPath: [any CodingKey] { base.codingPath }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ReferencingContainer(base: try base.container(keyedBy: type), transaction: transaction))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

  func decodeNil() -> Bool { (try? base.singleValueContainer().decodeNil()) == true }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try base.singleValueContainer()
    // Only models read their attributes here. The format decodes other values.
    guard type is any ManagedDecodable.Type else { return try value.decode(type) }
    guard !value.decodeNil() else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "Null is not a valid \(type)."))
    }
    return try type.init(from: self)
  }
}

extension StoreTransaction {
  fileprivate func createOrUpdate<Model: StorableModel>(_ type: Model.Type, from decoder: any Decoder) throws -> Model {
    guard let context = self as? Model.Context else { return try rows.createOrUpdate(type, from: decoder, in: self) }
    return try Model.createOrUpdate(in: context, from: decoder)
  }
}

private struct ReferencingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let transaction: StoreTransaction

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  // Inlined into the functions for the types of the standard library, for which the compiler evaluates the check for scalars.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if type is any StoredScalar.Type { return try base.decode(type, forKey: key) }
    switch transaction.bindings.kind(of: type) {
    case .none: return try base.decode(type, forKey: key)
    case .one:
      guard let model = type as? any StorableModel.Type, try base.contains(key) && !base.decodeNil(forKey: key),
        let made = try transaction.createOrUpdate(model, from: base.superDecoder(forKey: key)) as? T
      else { return try base.decode(type, forKey: key) }
      return made
    case .many:
      guard let array = type as? any ModelArray.Type, try base.contains(key) && !base.decodeNil(forKey: key) else {
        return try base.decode(type, forKey: key)
      }
      let models = try array.make { model in
        var models: [any StorableModel] = []
        var items = try base.nestedUnkeyedContainer(forKey: key)
        while !items.isAtEnd {
          models.append(try transaction.createOrUpdate(model, from: items.superDecoder()))
        }
        return models
      }
      guard let models = models as? T else { return try base.decode(type, forKey: key) }
      return models
    }
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try base.decode(type, forKey: key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try base.decode(type, forKey: key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try base.nestedContainer(keyedBy: type, forKey: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try base.nestedUnkeyedContainer(forKey: key)
  }

  func superDecoder() throws -> any Decoder { try base.superDecoder() }
  func superDecoder(forKey key: Key) throws -> any Decoder { try base.superDecoder(forKey: key) }
}

/// Conversion between keys of rows and JSON, for columns that refer to several rows or to rows with composite keys.
///
/// A key with one value is written as that value, a composite key as an array: `[1, 2]`, `[["a", 1], ["b", 2]]`. Bytes are base64.
enum KeyText {
  static func text(of keys: [RowKey]) throws -> String {
    try write(keys.map(Component.init))
  }

  static func text(of key: RowKey) throws -> String {
    try write(Component(key))
  }

  /// Returns the values of the key as a JSON array of texts. The result stays the same when a column of integers is converted to text.
  static func plainText(of key: RowKey) throws -> String {
    let texts = key.values.map { value in
      switch value {
      case .null: ""
      case .integer(let integer): "\(integer)"
      case .real(let real): Int64(exactly: real).map { "\($0)" } ?? "\(real)"
      case .text(let text): text
      case .blob(let data): data.base64EncodedString()
      }
    }
    // An encoder takes longer, and few keys have characters that it escapes.
    let isPlain = texts.allSatisfy { text in
      text.utf8.allSatisfy { $0 >= .space && $0 < .delete && $0 != .quote && $0 != .backslash }
    }
    return isPlain ? #"[""# + texts.joined(separator: #"",""#) + #""]"# : try write(texts)
  }

  /// Returns the keys in `text`. The values of each key have the types of `columns`.
  ///
  /// - Throws: ``StoreError/Code/invalidValue``.
  static func keys(
    in text: String, of columns: [EntitySchema.Column], _ precision: StoredDate.Precision
  ) throws -> [RowKey] {
    let json = try JSON(parsing: text)
    guard json.kind == .array else { throw malformed }
    return try json.elements.map { try key($0, of: columns, precision) }
  }

  static func key(
    in text: String, of columns: [EntitySchema.Column], _ precision: StoredDate.Precision
  ) throws -> RowKey {
    try key(JSON(parsing: text), of: columns, precision)
  }

  private static func write(_ value: some Encodable) throws -> String {
    String(decoding: try JSON.Encoder().encode(value), as: UTF8.self)
  }

  private static func key(
    _ json: JSON, of columns: [EntitySchema.Column], _ precision: StoredDate.Precision
  ) throws -> RowKey {
    guard columns.count != 1 else { return .one(try value(json, of: columns[0].type, precision)) }
    guard json.kind == .array, json.count == columns.count else { throw malformed }
    return .several(try zip(json.elements, columns).map { try value($0, of: $1.type, precision) })
  }

  private static func value(
    _ json: JSON, of type: StoredType, _ precision: StoredDate.Precision
  ) throws -> StoreValue {
    // A reference is encoded as its id, and the key of a model as the value of its column, in which these types are numbers.
    let type: StoredType =
      switch (type, json.kind) {
      case (.boolean, .number): .integer
      case (.date, .number): .real
      default: type
      }
    guard !json.isNull, let value = type.value(of: json, precision) else { throw malformed }
    return value
  }

  private static var malformed: StoreError {
    StoreError(code: .invalidValue, reason: "a column of references contains a value that is not a key")
  }

  private enum Component: Encodable {
    case value(StoreValue)
    case values([Component])

    init(_ key: RowKey) {
      switch key {
      case .one(let value): self = .value(value)
      case .several(let values): self = .values(values.map(Component.value))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .values(let values): try container.encode(values)
      case .value(.null): try container.encodeNil()
      case .value(.integer(let integer)): try container.encode(integer)
      case .value(.real(let real)): try container.encode(real)
      case .value(.text(let text)): try container.encode(text)
      case .value(.blob(let data)): try container.encode(data)
      }
    }
  }
}

package typealias StorableModel = ManagedDecodable & Codable

enum ReferenceKind: Sendable {
  case none
  case one
  case many

  init(of type: any Any.Type) {
    if let model = type as? any StorableModel.Type {
      self = Self.hasRows(model) ? .one : .none
    } else if let array = type as? any ModelArray.Type {
      self = array.elementHasRows ? .many : .none
    } else {
      self = .none
    }
  }

  /// Returns `true` if models of this type have separate rows: they are stored in a store, and have match keys.
  fileprivate static func hasRows<Model: ManagedDecodable>(_ type: Model.Type) -> Bool {
    Model.Context.self == StoreTransaction.self && !(Model.matchKeys ?? []).isEmpty
  }
}

/// An array of models, for use without its element type.
protocol ModelArray {
  static var elementHasRows: Bool { get }
  static var entityName: String { get }

  func store(in rows: Rows) throws -> StoredReference

  /// Creates the array. `decode` is called with the type of the elements and returns them.
  static func make(_ decode: (any StorableModel.Type) throws -> [any StorableModel]) throws -> Self
}

extension Array: ModelArray where Element: ManagedDecodable & Codable {
  static var elementHasRows: Bool { ReferenceKind.hasRows(Element.self) }
  static var entityName: String { Element.entityName }

  func store(in rows: Rows) throws -> StoredReference {
    var keys: [RowKey] = []
    keys.reserveCapacity(count)
    for model in self { keys.append(try rows.save(model).key) }
    return StoredReference(
      value: .text(try KeyText.text(of: keys)), type: .json, reference: .many(entity: Element.entityName))
  }

  static func make(_ decode: (any StorableModel.Type) throws -> [any StorableModel]) throws -> [Element] {
    try decode(Element.self).compactMap { $0 as? Element }
  }
}
