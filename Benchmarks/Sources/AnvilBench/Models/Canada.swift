/// The whole of `canada.json`, every field typed.
enum Canada {
  struct Root: Codable, Sendable {
    var type: String
    var features: [Feature]
  }

  struct Feature: Codable, Sendable {
    var type: String
    var properties: FeatureProperties
    var geometry: FeatureGeometry
  }

  struct FeatureGeometry: Codable, Sendable {
    var type: String
    var coordinates: [[[Double]]]
  }

  struct FeatureProperties: Codable, Sendable {
    var name: String
  }
}
