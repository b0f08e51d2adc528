internal import AnvilStore

/// A type of the server, by its number. Source: PostgreSQL's pg_type.dat, whose numbers do not change.
struct PostgresType: Hashable, Sendable {
  let oid: UInt32

  static let boolean = Self(oid: 16)
  static let bytes = Self(oid: 17)
  static let int8 = Self(oid: 20)
  static let int2 = Self(oid: 21)
  static let int4 = Self(oid: 23)
  static let text = Self(oid: 25)
  static let oid = Self(oid: 26)
  static let json = Self(oid: 114)
  static let float4 = Self(oid: 700)
  static let float8 = Self(oid: 701)
  static let timestamp = Self(oid: 1184)
  static let numeric = Self(oid: 1700)
  static let uuid = Self(oid: 2950)
  /// The types "char", name, unknown, character and character varying.
  private static let otherTexts: Set<UInt32> = [18, 19, 705, 1042, 1043]

  /// True if the binary format of the type's values is the same as their text, and text can be assigned to the type.
  var isText: Bool { self == .text || Self.otherTexts.contains(oid) }

  /// True if values of this type can be read in the binary format. Values of all other types, including unknown ones, are read as text.
  var isReadInBinary: Bool {
    switch self {
    case .boolean, .bytes, .int8, .int2, .int4, .oid, .float4, .float8, .json, .uuid, .timestamp: true
    default: isText
    }
  }

  /// The kind of the type's values, other than NULL.
  var kind: StoreValue.Kind {
    switch self {
    case .boolean, .int8, .int2, .int4, .oid: .integer
    case .float4, .float8: .real
    case .bytes: .blob
    default: .text
    }
  }

  /// The element type of the array in which values for this type are sent.
  var elementOfArray: PostgresType {
    switch self {
    case .int2, .int4, .int8, .oid: .int8
    case .float4, .float8: .float8
    case .boolean, .bytes: self
    default: .text
    }
  }

  /// The name of a type that `elementOfArray` returns.
  var arrayElementName: String {
    switch self {
    case .int8: "bigint"
    case .float8: "double precision"
    case .boolean: "boolean"
    case .bytes: "bytea"
    default: "text"
    }
  }
}

/// A column of a statement's rows.
struct PostgresColumn: Hashable, Sendable {
  var name: String
  var type: PostgresType
}
