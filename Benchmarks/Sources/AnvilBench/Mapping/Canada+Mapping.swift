import AnvilJSON

extension Canada.Root: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      type: json => "type",
      features: json => "features"
    )
  }
}

extension Canada.Feature: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      type: json => "type",
      properties: json => "properties",
      geometry: json => "geometry"
    )
  }
}

extension Canada.FeatureGeometry: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      type: json => "type",
      coordinates: json => "coordinates"
    )
  }
}

extension Canada.FeatureProperties: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      name: json => "name"
    )
  }
}
