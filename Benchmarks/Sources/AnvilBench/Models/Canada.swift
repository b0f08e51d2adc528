/// The whole of `canada.json`, every field typed.
enum Canada {
  struct Root: Codable, Equatable, Sendable {
    var type: String
    var features: [Feature]
  }

  struct Feature: Codable, Equatable, Sendable {
    var type: String
    var properties: FeatureProperties
    var geometry: FeatureGeometry
  }

  struct FeatureGeometry: Codable, Equatable, Sendable {
    var type: String
    var coordinates: [[[Double]]]
  }

  struct FeatureProperties: Codable, Equatable, Sendable {
    var name: String
  }
}
