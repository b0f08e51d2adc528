import SwiftSyntax
import SwiftSyntaxBuilder

struct StoredModelExpansion {
  private let model: Model
  private let properties: [Property]
  private let attributes = "AnvilStore._StoredAttribute"

  init(_ model: Model, _ tree: MemberTree) {
    self.model = model
    properties = tree.declared
  }

  /// The declarations in the body of the type, where the types around it are visible.
  var members: [String] {
    var all = [columns, columnsProperty, storedAttributes, writing, reading].map(\.joined)
    if let matchKeyType { all.append(matchKeyType) }
    if !model.hasMemberwiseInitializer, model.hasInitializer { all.append(initializer.joined) }
    return all
  }

  /// - Parameter missing: The protocols that the type does not adopt itself.
  func extensions(missing: Set<String>) -> [String] {
    var extensions: [String] = []
    let names = (["StoredModel"] + relation).filter(missing.contains).map { "AnvilStore.\($0)" }
    if !names.isEmpty {
      extensions.append("\(model.extensionKeyword) \(model.type): \(names.joined(separator: ", ")) {\n}")
    }
    // In the body it would suppress the initialiser that the compiler generates.
    if !model.hasMemberwiseInitializer, !model.hasInitializer {
      extensions.append(Lines.block("\(model.extensionKeyword) \(model.type)") { $0.add(initializer) }.joined)
    }
    return extensions
  }

  /// The protocol of models that others can refer to: with one match key, or with several. Other models have no references to their rows.
  private var relation: [String] {
    switch properties.count(where: \.isMatchKey) {
    case 0: []
    case 1: ["ReferencedModel"]
    default: ["_CompositeModel"]
    }
  }

  /// The type of the only match key. A key that is less accessible than the model may have a type that is, too: without this declaration, the
  /// type is that of the model's `id`.
  private var matchKeyType: String? {
    let keys = properties.filter(\.isMatchKey)
    let sufficient = ["public ": ["public "], "package ": ["public ", "package "]]
    guard keys.count == 1, !keys[0].type.isEmpty,
      sufficient[model.access]?.contains(keys[0].access) ?? !keys[0].access.contains("private")
    else { return nil }
    return "\(model.access)typealias _MatchKeyType = \(keys[0].type)"
  }

  private var columns: Lines {
    .block("\(model.modifiersInBody)struct Columns: Swift.Sendable") { lines in
      for property in properties {
        if let value = defaultValue(of: property), value.usesVariables {
          lines.add(
            "fileprivate static var \(property.identifier)Default: \(property.type) { return \(value.text(in: model.name)) }"
          )
        }
        if let strategy = property.strategy, strategy.usesVariables {
          let value = property.wrapped ?? property.type
          lines.add(
            "fileprivate static var \(property.identifier)Strategy: some AnvilCodable.CodableStrategy<\(value)> "
              + "{ return \(strategy.text(in: model.name)) }")
        }
      }
      // The type of a property with a wrapper may be missing in the source.
      for property in properties where !property.type.isEmpty {
        lines.add(
          "\(access(of: property))let \(property.name) = AnvilStore.StoredColumn<\(model.name), \(property.type)>(\(key(of: property)))"
        )
      }
    }
  }

  private var columnsProperty: Lines {
    .block("\(model.modifiersInBody)static var columns: Columns") { $0.add("Columns()") }
  }

  private var storedAttributes: Lines {
    .block("\(model.modifiersInBody)static var _storedAttributes: [\(attributes)]") { lines in
      lines.add("[")
      for property in properties {
        var arguments = "key: \(key(of: property)), column: \(property.column.literal)"
        if property.isMatchKey { arguments += ", isMatchKey: true" }
        if let strategy = strategy(of: property) { arguments += ", coding: AnvilStore._StoredCoding(\(strategy))" }
        if let value = defaultValue(of: property) {
          let text = text(of: value, property)
          arguments +=
            ", isConstant: \(ExprSyntax(stringLiteral: value.text).isConstant), default: { \(text) as (\(property.type)) }"
        }
        lines.add("  \(attributes)(\(arguments)),")
      }
      lines.add("]")
    }
  }

  private var writing: Lines {
    .block(
      "\(model.deprecation)\(model.modifiersInBody)func _write(to row: borrowing AnvilStore._StoredRowWriter) throws"
    ) { lines in
      for (index, property) in properties.enumerated() {
        let function = property.isOptional ? "writeIfPresent" : "write"
        let write = "try row.\(function)(self.\(property.storedName), \(index))"
        if let strategy = strategy(of: property) {
          let coded = "row.writeCoded(self.\(property.storedName), \(index), _by: \(strategy))"
          lines.add("if try !\(coded) { \(write) }")
        } else {
          lines.add(write)
        }
      }
    }
  }

  private var reading: Lines {
    var scope = Scope(properties)
    let row = scope.name("row")
    return .block(
      "\(model.deprecation)\(model.modifiersInBody)static func _read(from \(row): borrowing AnvilStore._StoredRowReader) throws -> \(model.name)"
    ) { lines in
      guard model.hasMemberwiseInitializer else { return lines.add("try Self(storedRow: \(row))") }
      // A constant named self would hide the type.
      let names = read.map { $1.plainName == "self" ? scope.name("self") : $1.name }
      for (name, (index, property)) in zip(names, read) {
        lines.add("let \(name) = \(value(of: property, index, in: row))")
      }
      let arguments = zip(names, read).map { "\($1.1.label): \($0)" }
      lines.add("return Self(\(arguments.joined(separator: ", ")))")
    }
  }

  private var initializer: Lines {
    var scope = Scope(properties)
    let row = scope.name("row")
    return .block(
      "\(model.deprecation)private nonisolated init(storedRow \(row): borrowing AnvilStore._StoredRowReader) throws"
    ) { lines in
      for (index, property) in read {
        lines.add("self.\(property.storedName) = \(value(of: property, index, in: row))")
      }
    }
  }

  /// The properties that are read and the indices of their columns.
  private var read: [(Int, Property)] { properties.enumerated().filter { !$1.isConstant }.map { ($0, $1) } }

  private func value(of property: Property, _ index: Int, in row: String) -> String {
    if property.isWrapped {
      return "try \(row).read({ (model: \(model.name)) in model.\(property.storedName) }, \(index))"
    }
    let type = property.isTypeHidden ? property.metatype : "(\(property.wrapped ?? property.type)).self"
    let coded = strategy(of: property).map { "\(row).readCoded(\(type), \(index), _by: \($0)) ?? " } ?? ""
    let fallback = defaultValue(of: property).map { " ?? \(text(of: $0, property))" } ?? ""
    let function = property.isOptional || !fallback.isEmpty ? "readIfPresent" : "read"
    return "try \(coded)\(row).\(function)(\(type), \(index))\(fallback)"
  }

  /// Returns the value of a property in rows without a value: the default for payloads, or else the initial value.
  private func defaultValue(of property: Property) -> PastedExpression? {
    guard !property.isOptional, !property.isWrapped, !property.isConstant, !property.isMatchKey, !property.type.isEmpty
    else { return nil }
    return property.fallback ?? property.initialValue
  }

  /// Returns the expression for a default. The name of a variable or function could have another meaning in a generated function, so such an
  /// expression is declared in `Columns`.
  private func text(of value: PastedExpression, _ property: Property) -> String {
    value.usesVariables ? "Columns.\(property.identifier)Default" : value.text
  }

  /// Returns the expression for a strategy, like that for a default.
  private func strategy(of property: Property) -> String? {
    property.strategy.map { $0.usesVariables ? "Columns.\(property.identifier)Strategy" : $0.text }
  }

  private func key(of property: Property) -> String { property.path.joined(separator: ".").literal }

  /// Returns the access level of a property's column, which never exceeds that of the model.
  private func access(of property: Property) -> String {
    switch property.access {
    // A private member of `Columns` would be hidden from the model. Only a column of a private type must be.
    case "private ": model.privateTypes.isDisjoint(with: property.type.identifiers) ? "fileprivate " : "private "
    case "public ", "package ": model.access.isEmpty ? "" : model.access == "package " ? "package " : property.access
    default: property.access
    }
  }
}

extension ExprSyntax {
  /// Whether the expression certainly has the same value each time: a literal, a member of a type such as `.open`, or a call of a type with
  /// such arguments, such as `Decimal(3)`.
  ///
  /// A variable, a function, and members such as `Date.now` may have another value. The value of such a default stays in the program.
  fileprivate var isConstant: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr, .binaryOperatorExpr: true
    case .stringLiteralExpr(let literal):
      literal.segments.allSatisfy { segment in
        guard case .expressionSegment(let interpolation) = segment else { return true }
        return interpolation.expressions.allSatisfy(\.expression.isConstant)
      }
    case .arrayExpr(let array): array.elements.allSatisfy(\.expression.isConstant)
    case .dictionaryExpr(let dictionary): dictionary.elements.allSatisfy { $0.key.isConstant && $0.value.isConstant }
    case .tupleExpr(let tuple): tuple.elements.allSatisfy(\.expression.isConstant)
    case .prefixOperatorExpr(let operation): operation.expression.isConstant
    case .forceUnwrapExpr(let unwrapped): unwrapped.expression.isConstant
    case .sequenceExpr(let sequence): sequence.elements.allSatisfy(\.isConstant)
    case .unresolvedTernaryExpr(let ternary): ternary.thenExpression.isConstant
    case .memberAccessExpr(let member): member.isConstant
    case .functionCallExpr(let call): call.isConstant
    default: false
    }
  }

  /// Whether the expression has the form of a type: `Decimal`, `Foundation.Date`, `Set<Int>`, `[String]`.
  fileprivate var isType: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let reference): reference.baseName.text.first?.isUppercase == true
    case .memberAccessExpr(let member):
      member.declName.baseName.text.first?.isUppercase == true && member.base?.isType == true
    default: isContainerType
    }
  }

  /// Whether the expression has the form of the type of a container, whose value without arguments is empty.
  fileprivate var isContainerType: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .genericSpecializationExpr(let type): type.expression.isType
    case .arrayExpr(let array): array.elements.count == 1 && array.elements.allSatisfy(\.expression.isType)
    case .dictionaryExpr(let dictionary):
      dictionary.elements.count == 1 && dictionary.elements.allSatisfy { $0.key.isType && $0.value.isType }
    default: false
    }
  }
}

extension MemberAccessExprSyntax {
  /// Whether the member is one of a type whose value does not differ each time, as far as its name tells.
  fileprivate var isConstant: Bool {
    !["now", "random", "current", "autoupdatingCurrent"].contains(declName.baseName.text) && base?.isType ?? true
  }
}

extension FunctionCallExprSyntax {
  fileprivate var isConstant: Bool {
    guard trailingClosure == nil, additionalTrailingClosures.isEmpty else { return false }
    if arguments.isEmpty { return calledExpression.isContainerType }
    let isKnown = calledExpression.as(MemberAccessExprSyntax.self)?.isConstant ?? calledExpression.isType
    return isKnown && arguments.allSatisfy { $0.label?.text != "timeIntervalSinceNow" && $0.expression.isConstant }
  }
}
