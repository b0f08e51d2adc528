import SwiftSyntax

/// The markers among the attributes of a declaration.
struct Markers {
  static let names: Set<String> = [
    "CodingKey", "CodableAlias", "CodableDefault", "CodableNaming", "CodableBy", "CodableIgnored", "CodableNull",
    "CodableRest", "JSONTagged", "CodableUnknown", "Column", "MatchKey",
  ]

  private let attributes: [AttributeSyntax]

  init(_ list: AttributeListSyntax) {
    attributes = list.compactMap { $0.as(AttributeSyntax.self) }.filter { Self.names.contains($0.name) }
  }

  var first: AttributeSyntax? { attributes.first }

  subscript(name: String) -> AttributeSyntax? { attributes.first { $0.name == name } }

  /// Returns the first marker with a name that is not in `names`.
  func first(other names: Set<String>) -> AttributeSyntax? { attributes.first { !names.contains($0.name) } }

  /// Reports markers that occur more than once, except `@CodableAlias`, which adds keys each time.
  func reportRepetitions(_ problems: Problems) {
    var names: Set<String> = ["CodableAlias"]
    for marker in attributes where !names.insert(marker.name).inserted && marker.name != "CodableAlias" {
      problems.report("repeated", "@\(marker.name) is already there: remove one of the two", at: marker)
    }
  }

  /// The keys in `@CodingKey`; `nil` without this marker.
  func path(_ problems: Problems) -> [String]? {
    guard let marker = self["CodingKey"] else { return nil }
    let path = texts(of: marker, problems)
    return path.isEmpty ? nil : path
  }

  /// The keys in all `@CodableAlias` markers.
  func aliases(_ problems: Problems) -> [String] {
    attributes.filter { $0.name == "CodableAlias" }.flatMap { texts(of: $0, problems) }
  }

  /// A text that identifies a case, with the literal that is written for it.
  struct Tag {
    var text: String
    var literal: String
    var isString: Bool { literal.hasPrefix("\"") }
  }

  /// The tag in `@CodingKey`; `nil` without this marker.
  func tag(_ problems: Problems) -> Tag? {
    guard let marker = self["CodingKey"] else { return nil }
    let tags = tags(of: marker, problems)
    if tags.count > 1 { problems.report("case", "a case has a single key, not a path", at: marker) }
    return tags.last
  }

  /// The tags in all `@CodableAlias` markers.
  func tagAliases(_ problems: Problems) -> [Tag] {
    attributes.filter { $0.name == "CodableAlias" }.flatMap { tags(of: $0, problems) }
  }

  private func tags(of marker: AttributeSyntax, _ problems: Problems) -> [Tag] {
    marker.argumentList.compactMap { argument in
      if let tag = argument.expression.tagLiteral { return tag }
      problems.report(
        "literal", "a key must be a literal: a string, a whole number or a Boolean", at: argument.expression)
      return nil
    }
  }

  /// The name in `@Column`; `nil` without this marker.
  func column(_ problems: Problems) -> String? {
    guard let marker = self["Column"], let name = texts(of: marker, problems).first else { return nil }
    if name.isEmpty { problems.report("column", "a column needs a name", at: marker) }
    return name
  }

  /// The naming in `@CodableNaming`; `nil` without this marker.
  func naming(_ problems: Problems) -> KeyNaming? {
    guard let marker = self["CodableNaming"] else { return nil }
    let name = marker.firstArgument?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    if let naming = name.flatMap(KeyNaming.init) { return naming }
    problems.report("naming", "specify the naming directly, such as .snakeCase", at: marker)
    return nil
  }

  private func texts(of marker: AttributeSyntax, _ problems: Problems) -> [String] {
    marker.argumentList.compactMap { argument in
      if let text = argument.expression.stringLiteral { return text }
      problems.report(
        "literal", "\(marker.name == "Column" ? "the name of a column" : "a key") must be a string literal",
        at: argument.expression)
      return nil
    }
  }
}

extension AttributeSyntax {
  /// The name without the module name.
  var name: String {
    attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? ""
  }

  var argumentList: [LabeledExprSyntax] { arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? [] }

  var firstArgument: ExprSyntax? { argumentList.first { $0.label == nil }?.expression }

  /// Returns the string literal in the argument `label`.
  func text(_ label: String) -> String? {
    argumentList.first { $0.label?.text == label }?.expression.stringLiteral
  }

  /// True if the marker cannot apply to several properties at once.
  var isForOneProperty: Bool { ["CodingKey", "CodableAlias", "Column"].contains(name) }
}

extension ExprSyntax {
  /// The tag of a literal; `nil` for other expressions.
  fileprivate var tagLiteral: Markers.Tag? {
    if let text = stringLiteral { return Markers.Tag(text: text, literal: text.literal) }
    if let bool = self.as(BooleanLiteralExprSyntax.self) {
      return Markers.Tag(text: bool.literal.text, literal: bool.literal.text)
    }
    let prefix = self.as(PrefixOperatorExprSyntax.self)
    guard prefix == nil || prefix?.operator.text == "-" else { return nil }
    let literal = (prefix?.expression ?? self).as(IntegerLiteralExprSyntax.self)
    guard let value = literal?.representedLiteralValue else { return nil }
    let text = "\(prefix == nil ? value : -value)"
    return Markers.Tag(text: text, literal: text)
  }

  /// The text of a string literal without interpolations.
  var stringLiteral: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}
