import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

struct EnumerationParser {
  private static let rawTypes: Set<String> = [
    "String", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32",
    "UInt64", "UInt128", "Double", "Float",
  ]

  let declaration: EnumDeclSyntax
  /// The declarations around the enumeration.
  let context: [Syntax]
  let markers: Markers
  let naming: KeyNaming
  let memberNames: Set<String>
  /// True if the type implements a direction of its coding, whose keys the nested types may be.
  let isHandwritten: Bool
  let problems: Problems

  func shape() -> Model.Shape? {
    var cases = declaration.memberBlock.members.flatMap { member -> [Case] in
      if let conditional = member.decl.as(IfConfigDeclSyntax.self), conditional.hasCases {
        problems.report(
          "conditional", "a macro cannot see which branch of #if is compiled: move the case out of it", at: conditional)
      }
      // No code can construct an unavailable case, and a switch can leave it out.
      guard let declaration = member.decl.as(EnumCaseDeclSyntax.self),
        !declaration.attributes.hasAvailability({ $0.starts(with: ["*", ",", "unavailable"]) })
      else { return [] }
      return self.cases(of: declaration)
    }
    for index in cases.indices {
      for value in cases[index].values.indices { cases[index].values[value].caseIndex = index }
    }
    guard !cases.isEmpty else {
      problems.report("cases", "an enum without cases has no values to code", at: declaration.name)
      return nil
    }
    let tagging = tagging(of: cases)
    checkTags(of: cases)
    if case .internal(let tag) = tagging {
      for enumerationCase in cases where !enumerationCase.isUnknown {
        if let value = enumerationCase.newtype {
          checkObject(value)
          checkTag(of: value, tag)
        } else {
          KeyChecker(problems: problems).check(enumerationCase.values, tag: [tag])
        }
      }
    }
    checkUnknown(cases, tagging)
    checkScalars(of: cases, tagging)
    return .enumeration(tagging, cases)
  }

  /// Returns the qualified raw type if the first inherited type is one; `nil` if it is a protocol.
  ///
  /// A macro cannot see the declaration of a name. An enumeration whose cases have raw values certainly has a raw type.
  private static func rawType(_ inherited: String, hasRawValues: Bool) -> String? {
    let name = inherited.hasPrefix("Swift.") ? String(inherited.dropFirst("Swift.".count)) : inherited
    if rawTypes.contains(name) { return "Swift." + name }
    return hasRawValues && name != "Character" ? inherited : nil
  }

  private var hasRawValues: Bool { caseDeclarations.contains { $0.elements.contains { $0.rawValue != nil } } }

  private var caseDeclarations: [EnumCaseDeclSyntax] {
    declaration.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
  }

  /// Reports markers for the texts of cases, which have no effect because the texts are the raw values.
  private func reportKeysOfRawValues() {
    let ofCases = caseDeclarations.flatMap { declaration in
      ["CodingKey", "CodableAlias"].compactMap { Markers(declaration.attributes)[$0] }
    }
    for marker in [markers["CodableNaming"]].compactMap(\.self) + ofCases {
      problems.report("raw", "the texts are the raw values: change those, and remove @\(marker.name)", at: marker)
    }
  }

  private func tagging(of cases: [Case]) -> Tagging {
    let rawType = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
    if let rawType, let type = Self.rawType(rawType, hasRawValues: hasRawValues) {
      reportKeysOfRawValues()
      if let tag = markers["JSONTagged"] {
        problems.report(
          "tag", "an enum with raw values is coded by them: remove @JSONTagged", at: tag, fixIts: [removal(of: tag)])
      }
      return .raw(type)
    }
    if rawType == "Character" {
      problems.report("raw", "a Character is not Codable: use raw values of type String", at: declaration.name)
    }
    guard let marker = markers["JSONTagged"] else {
      // With a case for unknown texts, the enumeration is coded as a string.
      let isName = cases.contains(where: \.isUnknown) && cases.allSatisfy { $0.isUnknown || $0.values.isEmpty }
      return isName ? .name : .key
    }
    for argument in marker.argumentList where argument.expression.stringLiteral == nil {
      guard !argument.expression.is(NilLiteralExprSyntax.self) else { continue }
      problems.report("literal", "a key must be a string literal", at: argument.expression)
    }
    if let tag = marker.text("by"), tag == marker.text("content") {
      problems.report("tag", "the tag and the content have the same key \(tag)", at: marker)
    }
    guard let tag = marker.text("by") else {
      return cases.allSatisfy { $0.values.isEmpty && !$0.isUnknown } ? .name : .external
    }
    return marker.text("content").map { .adjacent(tag, content: $0) } ?? .internal(tag)
  }

  private func removal(of attribute: AttributeSyntax) -> FixIt {
    var others = declaration.attributes.filter { $0.as(AttributeSyntax.self)?.id != attribute.id }
    others.trailingTrivia = declaration.attributes.trailingTrivia
    return Problems.replacing(
      declaration.attributes, with: others, "remove @\(attribute.name)")
  }

  private func cases(of declaration: EnumCaseDeclSyntax) -> [Case] {
    let markers = Markers(declaration.attributes)
    problems.reportConditional(declaration.attributes)
    if declaration.elements.count > 1, let marker = markers.first {
      problems.report("several", "this applies to a single case: declare each case separately", at: marker)
    }
    markers.reportRepetitions(problems)
    let ownTag = markers.tag(problems)
    let aliases = markers.tagAliases(problems)
    return declaration.elements.map { element in
      let name = element.name.text
      let plainName = name.filter { $0 != "`" }
      let tag = ownTag?.text ?? key(plainName, in: "CodingKeys", at: element) ?? naming.key(for: plainName)
      let keys = plainName.capitalizedFirst + "CodingKeys"
      var values = (element.parameterClause?.parameters ?? []).enumerated().map { index, parameter in
        let label = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0.text.filter { $0 != "`" } }
        let type = ModelParser.operand(parameter.type.trimmedDescription)
        let plainName = label ?? "_\(index)"
        // Some names need backticks as variables but not as labels.
        let isUsable = plainName.isValidSwiftIdentifier(for: .variableName) && plainName != "await"
        let name = isUsable ? plainName : "`\(plainName)`"
        if let kind = ModelParser.kindWithoutCoding(type) {
          problems.report("kind", "\(kind) cannot be coded: use a named type", at: parameter)
        }
        // A value without a label is not always a member of an object.
        if let problem = ModelParser.problem(withOptional: type, isNullDistinct: label != nil) {
          problems.report("type", problem, at: parameter)
        }
        var value = Property(
          name: name, type: type, wrapped: ModelParser.innermost(type),
          path: [key(plainName, in: keys, at: parameter) ?? plainName], node: Syntax(parameter))
        value.isLabelled = label != nil
        value.isNullDistinct = ModelParser.isNullDistinct(type)
        value.isTypeHidden = ModelParser.isHidden(type, by: memberNames)
        value.fallback = parameter.defaultValue.map { PastedExpression($0.value) }
        return value
      }
      Property.number(&values)
      return Case(
        name: name, tag: tag, tagLiteral: ownTag?.literal ?? tag.literal, aliases: aliases.map(\.text),
        values: values, isUnknown: markers["CodableUnknown"] != nil, node: Syntax(element))
    }
  }

  /// Returns the key of a case or of a value in the nested type `keys`, as for the compiler's own `Codable`; `nil` without such a type.
  private func key(_ name: String, in keys: String, at node: some SyntaxProtocol) -> String? {
    guard let ownKeys = ModelParser.ownKeys(of: declaration, named: keys) else { return nil }
    if ownKeys[name] == nil, !isHandwritten, markers["JSONTagged"] == nil {
      problems.report("keys", "\(keys) has no case \(name)", at: node)
    }
    return ownKeys[name]
  }

  /// Checks that a value can contain the tag as a member. This is not possible for custom types, whose declarations are
  /// not visible.
  private func checkObject(_ value: Property) {
    guard value.isOptional || value.type == "JSON" || LiteralKind.isWellKnown(value.type) else { return }
    problems.report(
      "object", "the tag is a member of the value, but \(value.type) has no members: add content: to @JSONTagged",
      at: value.node)
  }

  /// Checks that the value of a case is not an enumeration that is identified by the same member. This is only visible for the enumeration
  /// itself and for those in or around it.
  private func checkTag(of value: Property, _ tag: String) {
    let type = value.type
    guard type == declaration.name.text || type == "Self" || Self.tag(ofType: type, near: declaration, context) == tag
    else { return }
    problems.report(
      "tag",
      "\(type) is identified by the member \(tag) too, and an object has it only once: add content: to @JSONTagged",
      at: value.node)
  }

  /// Returns the key of the tag of the enumeration `name` if it is declared in or around `declaration`.
  private static func tag(ofType name: String, near declaration: EnumDeclSyntax, _ context: [Syntax]) -> String? {
    let inner = declaration.memberBlock.members.compactMap { $0.decl.as(EnumDeclSyntax.self) }
    let enumerations = inner + context.compactMap { $0.as(EnumDeclSyntax.self) }
    let found = enumerations.first { $0.name.text == name }
    return found.flatMap { Markers($0.attributes)["JSONTagged"]?.text("by") }
  }

  /// Reports numbers and Booleans as keys of cases that are not identified by a member.
  private func checkScalars(of cases: [Case], _ tagging: Tagging) {
    switch tagging {
    case .internal, .adjacent, .raw: return
    case .name, .key, .external: break
    }
    for declaration in caseDeclarations {
      let markers = Markers(declaration.attributes)
      let tags = [markers.tag(Problems())].compactMap(\.self) + markers.tagAliases(Problems())
      guard tags.contains(where: { !$0.isString }), let marker = markers["CodingKey"] ?? markers["CodableAlias"] else {
        continue
      }
      problems.report(
        "literal", "a number or a Boolean identifies a case only with @JSONTagged(by:): write a string literal",
        at: marker)
    }
  }

  private func checkTags(of cases: [Case]) {
    var owners: [String: String] = [:]
    for enumerationCase in cases {
      for tag in [enumerationCase.tag] + enumerationCase.aliases {
        guard let other = owners.updateValue(enumerationCase.plainName, forKey: tag) else { continue }
        problems.report(
          "key", "the cases \(other) and \(enumerationCase.plainName) have the same key \(tag)",
          at: enumerationCase.node)
      }
    }
  }

  private func checkUnknown(_ cases: [Case], _ tagging: Tagging) {
    let unknown = cases.filter(\.isUnknown)
    guard unknown.count <= 1 else {
      return problems.report("unknown", "only one case can be @CodableUnknown", at: unknown[1].node)
    }
    guard let unknown = unknown.first else { return }
    if unknown.values.count > 1 || (unknown.values.count == 1 && unknown.newtype == nil) {
      problems.report(
        "unknown", "a case for unknown texts can have one associated value without a label, or none",
        at: unknown.node)
    }
    if let value = unknown.newtype, value.type == declaration.name.text || value.type == "Self" {
      problems.report(
        "unknown", "a value of \(unknown.plainName) would contain itself without end: use another type, such as JSON",
        at: value.node)
    }
    if case .key = tagging {
      problems.report(
        "unknown", "\(unknown.plainName) needs @JSONTagged: without a tag, an unknown value is not recognized",
        at: unknown.node)
    }
  }
}

/// Checks that no two values of an object have the same key.
struct KeyChecker {
  let problems: Problems

  /// - Parameter tag: The path of the tag, which no value may use.
  func check(_ properties: [Property], tag: [String]? = nil) {
    var owners: [[String]: String] = [:]
    if let tag { owners[tag] = "" }
    for property in properties {
      for path in [property.path] + property.aliases.map({ property.path.dropLast() + [$0] }) {
        let key = path.joined(separator: ".")
        switch owners.updateValue(property.plainName, forKey: path) {
        case nil: break
        case ""?: problems.report("tag", "the key \(key) is already the key of the tag", at: property.node)
        case let other?: problems.report("key", "\(other) already has the key \(key)", at: property.node)
        }
      }
    }
    for property in properties {
      for length in 1..<max(1, property.path.count) {
        guard let other = owners[Array(property.path.prefix(length))] else { continue }
        let key = property.path.prefix(length).joined(separator: ".")
        problems.report(
          "key", "the key \(key) cannot contain other keys: it is the key of \(other.isEmpty ? "the tag" : other)",
          at: property.node)
      }
    }
  }
}

/// A conversion from a property's name to a key.
enum KeyNaming: String {
  case camelCase, snakeCase, upperSnakeCase, kebabCase, pascalCase, lowercase

  func key(for name: String) -> String {
    switch self {
    case .camelCase: name
    case .snakeCase: Self.words(in: name).map { $0.lowercased() }.joined(separator: "_")
    case .upperSnakeCase: Self.words(in: name).map { $0.uppercased() }.joined(separator: "_")
    case .kebabCase: Self.words(in: name).map { $0.lowercased() }.joined(separator: "-")
    case .pascalCase: name.prefix(1).uppercased() + name.dropFirst()
    case .lowercase: name.lowercased()
    }
  }

  /// Splits a name before each upper-case letter that starts a word: `fullURLString` becomes `full`, `URL`, `String`.
  ///
  /// Foundation's encoder splits most names in the same way for snake case. It splits off the first of several upper-case letters at the
  /// beginning, and splits at other places around an upper-case letter that a digit or an underscore follows: `URLString` and `getS3URL`
  /// become `u_rl_string` and `get_s3url` there, and `url_string` and `get_s3_url` here.
  private static func words(in name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      let next = index + 1 < characters.count ? characters[index + 1] : nil
      let beginsWord =
        character.isUppercase
        && (word.last.map { !$0.isUppercase } ?? false || next.map { $0.isLowercase } ?? false)
      if beginsWord, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word.append(character)
    }
    return word.isEmpty ? words : words + [word]
  }
}
