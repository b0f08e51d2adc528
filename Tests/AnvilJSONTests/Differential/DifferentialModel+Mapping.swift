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
