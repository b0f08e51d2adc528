import AnvilJSON

/// A type that is also read by the mapping operators.
protocol MappedModel: DifferentialModel, JSONDecodable {}

extension Nested.Place: MappedModel {
  static func decode(_ json: JSON) throws -> Nested.Place {
    try Nested.Place(street: json => "street", zip: json =>? "zip")
  }
}

extension Nested: MappedModel {
  static func decode(_ json: JSON) throws -> Nested {
    try Nested(
      id: json => "id", name: json => "name", score: json => "score", isAdmin: json => "isAdmin", tags: json => "tags",
      home: json => "home", former: json =>? "former", scores: json => "scores", places: json => "places",
      grid: json => "grid")
  }
}

extension Optionals: MappedModel {
  static func decode(_ json: JSON) throws -> Optionals {
    try Optionals(
      bool: json =>? "bool", string: json =>? "string", double: json =>? "double", float: json =>? "float",
      int: json =>? "int", uint8: json =>? "uint8", int64: json =>? "int64", list: json =>? "list",
      dictionary: json =>? "dictionary")
  }
}

extension Branch: MappedModel {
  static func decode(_ json: JSON) throws -> Branch {
    try Branch(label: json => "label", leaves: json => "leaves", named: json =>? "named")
  }
}

extension Scalars: MappedModel {
  static func decode(_ json: JSON) throws -> Scalars {
    try Scalars(
      bool: json => "bool", string: json => "string", double: json => "double", float: json => "float",
      int: json => "int", int8: json => "int8", int16: json => "int16", int32: json => "int32",
      int64: json => "int64", int128: json => "int128", uint: json => "uint", uint8: json => "uint8",
      uint16: json => "uint16", uint32: json => "uint32", uint64: json => "uint64", uint128: json => "uint128")
  }
}
