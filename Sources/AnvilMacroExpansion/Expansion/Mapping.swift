/// Generates code that maps members from `JSON`.
struct Mapping {
  /// Returns the expression for the value of a property in `json`, which may throw.
  func value(of property: Property, in json: String) -> String {
    let strategy = property.strategy.map { ", _by: \($0)" } ?? ""
    let required = "try \(json).value(at: \(path(of: property, in: json))\(strategy))"
    guard !property.isRequired || property.isWrapped else { return required }
    if property.isWrapped { return required }
    let optional = "try \(json).value(ifPresentAt: \(optionalPath(of: property, in: json))\(strategy))"
    guard let fallback = property.fallback else { return optional }
    guard property.isOptional else { return "(\(optional)) ?? \(fallback)" }
    return "\(json)._contains(\(path(of: property, in: json))) ? \(optional) : \(fallback)"
  }

  /// Returns the path of a property as a literal. With aliases, returns the expression for the first path that is
  /// present.
  private func path(of property: Property, in json: String) -> String {
    let paths = [property.path] + property.aliases.map { property.path.dropLast() + [$0] }
    let literals = paths.map { $0.count == 1 ? $0[0].literal : "[\($0.map(\.literal).joined(separator: ", "))]" }
    return literals.count == 1 ? literals[0] : "\(json)._firstPath(\(literals.joined(separator: ", ")))"
  }

  private func optionalPath(of property: Property, in json: String) -> String {
    let path = path(of: property, in: json)
    return property.path.count == 1 && property.aliases.isEmpty ? path : "AnvilJSON.JSON.OptionalPath(\(path))"
  }
}
