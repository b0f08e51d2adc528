extension JSON.Kind {
  /// Returns the kinds of values from which the type named `name` is decoded. If `name` is the name of a kind, such as `object`, returns
  /// only that kind.
  package static func kinds(ofTypeNamed name: String) -> [JSON.Kind] {
    switch name {
    case "String", "Substring", "Character", "URL", "UUID": [.string]
    case "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
      "Double", "Float", "Float16", "Decimal":
      [.number]
    case "Bool": [.bool]
    case let name where name.hasPrefix("[") && name.contains(": "): [.object]
    case let name where name.hasPrefix("[") || name.hasPrefix("Set<"): [.array]
    case let name: JSON.Kind(rawValue: name).map { [$0] } ?? []
    }
  }
}
