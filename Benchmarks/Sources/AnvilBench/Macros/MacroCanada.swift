import AnvilCodable

/// The models of `canada.json`, coded by macros.
enum MacroCanada {
  @JSONCodable
  struct Root: Equatable, Sendable {
    var type: String
    var features: [Feature]
  }

  @JSONCodable
  struct Feature: Equatable, Sendable {
    var type: String
    var properties: FeatureProperties
    var geometry: FeatureGeometry
  }

  @JSONCodable
  struct FeatureGeometry: Equatable, Sendable {
    var type: String
    var coordinates: [[[Double]]]
  }

  @JSONCodable
  struct FeatureProperties: Equatable, Sendable {
    var name: String
  }
}
