import SwiftSyntax

/// The kind of a literal, for detecting default values that do not match a property's type.
enum LiteralKind: String {
  case bool = "a Boolean", integer = "an integer", float = "a number", string = "a string", array = "an array"
  case dictionary = "a dictionary"

  /// Creates the kind of a literal; `nil` for other expressions.
  init?(_ expression: ExprSyntax) {
    var expression = expression
    if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
      expression = prefix.expression
    }
    switch expression.kind {
    case .booleanLiteralExpr: self = .bool
    case .integerLiteralExpr: self = .integer
    case .floatLiteralExpr: self = .float
    case .stringLiteralExpr: self = .string
    case .arrayExpr: self = .array
    case .dictionaryExpr: self = .dictionary
    default: return nil
    }
  }

  /// The type of the literal without a type context; `nil` for containers.
  var defaultType: String? {
    switch self {
    case .bool: "Bool"
    case .integer: "Int"
    case .float: "Double"
    case .string: "String"
    case .array, .dictionary: nil
    }
  }

  /// Returns false if `type` is a well-known type that this literal cannot have. The compiler checks other types.
  func isPossible(for type: String) -> Bool {
    switch type {
    case "Bool": self == .bool
    case "String", "Substring", "Character": self == .string
    case "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128":
      self == .integer
    case "Double", "Float", "Decimal": self == .integer || self == .float
    case "Date", "Data", "UUID", "URL": false
    default:
      switch TypeSyntax(stringLiteral: type).kind {
      case .arrayType: self == .array
      case .dictionaryType: self == .dictionary
      default: true
      }
    }
  }

  /// Returns whether `type` is a well-known type: a scalar, or a container in its short form.
  static func isWellKnown(_ type: String) -> Bool {
    !(LiteralKind.bool.isPossible(for: type) && LiteralKind.string.isPossible(for: type))
  }
}

extension DictionaryExprSyntax {
  var elements: DictionaryElementListSyntax { content.as(DictionaryElementListSyntax.self) ?? [] }
}

extension ExprSyntax {
  /// True for a literal, also of an array or a dictionary of literals, that uses no other declarations.
  var isLiteral: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .nilLiteralExpr: true
    case .stringLiteralExpr(let string): string.representedLiteralValue != nil
    case .prefixOperatorExpr(let prefix): prefix.operator.text == "-" && prefix.expression.isLiteral
    case .arrayExpr(let array): array.elements.allSatisfy(\.expression.isLiteral)
    case .dictionaryExpr(let dictionary): dictionary.elements.allSatisfy { $0.key.isLiteral && $0.value.isLiteral }
    default: false
    }
  }
}
