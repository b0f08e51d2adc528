import AnvilJSON

extension Canada.Root: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(type, at: "type")
    try json.write(features, at: "features")
  }
}

extension Canada.Feature: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(type, at: "type")
    try json.write(properties, at: "properties")
    try json.write(geometry, at: "geometry")
  }
}

extension Canada.FeatureGeometry: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(type, at: "type")
    try json.write(coordinates, at: "coordinates")
  }
}

extension Canada.FeatureProperties: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(name, at: "name")
  }
}
