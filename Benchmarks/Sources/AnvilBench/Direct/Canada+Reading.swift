import AnvilJSON

// What a macro would write for each model, or a person.

extension Canada.Root: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var type: String?
    var features: [Canada.Feature]?
    try reader.beginObject()
    repeat {
      try reader.read("type", into: &type)
      try reader.read("features", into: &features)
    } while try reader.hasMoreMembers()
    return try Self(
      type: reader.require(type, "type"),
      features: reader.require(features, "features"))
  }
}

extension Canada.Feature: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var type: String?
    var properties: Canada.FeatureProperties?
    var geometry: Canada.FeatureGeometry?
    try reader.beginObject()
    repeat {
      try reader.read("type", into: &type)
      try reader.read("properties", into: &properties)
      try reader.read("geometry", into: &geometry)
    } while try reader.hasMoreMembers()
    return try Self(
      type: reader.require(type, "type"),
      properties: reader.require(properties, "properties"),
      geometry: reader.require(geometry, "geometry"))
  }
}

extension Canada.FeatureGeometry: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var type: String?
    var coordinates: [[[Double]]]?
    try reader.beginObject()
    repeat {
      try reader.read("type", into: &type)
      try reader.read("coordinates", into: &coordinates)
    } while try reader.hasMoreMembers()
    return try Self(
      type: reader.require(type, "type"),
      coordinates: reader.require(coordinates, "coordinates"))
  }
}

extension Canada.FeatureProperties: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var name: String?
    try reader.beginObject()
    repeat {
      try reader.read("name", into: &name)
    } while try reader.hasMoreMembers()
    return try Self(
      name: reader.require(name, "name"))
  }
}
