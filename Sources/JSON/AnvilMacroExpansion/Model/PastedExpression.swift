import SwiftSyntax

/// An expression from the source of a model, as a part of generated code.
struct PastedExpression {
  /// An operand: it has the same meaning beside any operator, and at the beginning of a statement.
  private(set) var text: String
  /// True if the expression has the same meaning in every scope: a literal, or a member of the expected type, `.name`.
  private(set) var isIndependent: Bool
  /// True if the expression is a literal.
  let isLiteral: Bool
  /// True if the expression uses unqualified names of variables or functions. A variable of a generated function may have the same name, and
  /// a static member of the model has no unqualified name in its initialisers.
  let usesVariables: Bool

  /// True if the expression is a call with which the compiler chooses a strategy.
  private(set) var isChosen = false

  /// Creates the part of generated code for `expression`.
  init(_ expression: ExprSyntax) {
    isLiteral = expression.isLiteral
    isIndependent = isLiteral || expression.as(MemberAccessExprSyntax.self).map { $0.base == nil } ?? false
    usesVariables = !isLiteral && expression.usesVariables
    text = expression.operand
  }

  /// Creates an expression that is a qualified name.
  init(name: String) {
    text = name
    isIndependent = false
    isLiteral = false
    usesVariables = false
  }

  /// Returns the text of the expression within a type that is nested in the model, where `Self` is that type.
  func text(in model: String) -> String { ExprSyntax(stringLiteral: text).replacingSelf(with: model) }

  /// Returns the strategy for values of `type`: this one, or one for a container whose elements it codes. The compiler finds out by the types
  /// which of the two it is.
  func strategy(for type: String, isHidden: Bool) -> PastedExpression {
    guard let element = ModelParser.wrapped(type) ?? ModelParser.element(ofContainer: type) else { return self }
    return strategy(for: element, isHidden: isHidden).choosing(for: type, isHidden: isHidden)
  }

  /// Returns the expression with which the compiler chooses between a strategy for values of `type`, and one for their elements.
  func choosing(for type: String, isHidden: Bool = false) -> PastedExpression {
    var other = self
    other.text = "AnvilCodable._Expansion.strategy(\(text), for: \(Property.metatype("(\(type))", isHidden: isHidden)))"
    other.isIndependent = false
    other.isChosen = true
    return other
  }
}

extension ExprSyntax {
  /// The text of the expression as an operand.
  fileprivate var operand: String {
    let text = trimmedDescription
    switch self.as(ExprSyntaxEnum.self) {
    // As an operand, these must be the result of a closure. A closure cannot begin a statement.
    case .ifExpr, .switchExpr: return "({ \(text) }())"
    default: return isOperand && firstToken(viewMode: .sourceAccurate)?.tokenKind != .leftBrace ? text : "(\(text))"
    }
  }

  /// True if the expression binds more tightly than every operator.
  private var isOperand: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .nilLiteralExpr, .stringLiteralExpr, .arrayExpr,
      .dictionaryExpr, .tupleExpr, .declReferenceExpr, .memberAccessExpr, .functionCallExpr, .subscriptCallExpr,
      .forceUnwrapExpr, .genericSpecializationExpr, .macroExpansionExpr:
      true
    case .prefixOperatorExpr(let prefix): prefix.expression.isOperand
    default: false
    }
  }

  /// True if the expression contains a name of a variable or function without a type or a value before it.
  fileprivate var usesVariables: Bool {
    tokens(viewMode: .sourceAccurate).contains { token in
      guard case .identifier = token.tokenKind, let reference = token.parent?.as(DeclReferenceExprSyntax.self) else {
        return false
      }
      let first = token.text.first { $0 != "`" } ?? "_"
      return reference.parent?.as(MemberAccessExprSyntax.self)?.declName.id != reference.id && !first.isUppercase
    }
  }

  /// The first `try` or `await` outside closures that a default or a strategy cannot have; `nil` without such a keyword.
  var effect: TokenSyntax? {
    tokens(viewMode: .sourceAccurate).first { token in
      switch token.tokenKind {
      case .keyword(.try): token.parent?.as(TryExprSyntax.self)?.questionOrExclamationMark == nil && !isInClosure(token)
      case .keyword(.await): !isInClosure(token)
      default: false
      }
    }
  }

  private func isInClosure(_ token: TokenSyntax) -> Bool {
    var node = token.parent
    while let current = node, current.id != id {
      if current.is(ClosureExprSyntax.self) { return true }
      node = current.parent
    }
    return false
  }
}

extension SyntaxProtocol {
  /// Returns the text with another name for the type `Self`.
  func replacingSelf(with name: String) -> String {
    tokens(viewMode: .sourceAccurate).map { token in
      guard token.tokenKind == .keyword(.Self) else { return token.description }
      return "\(token.leadingTrivia)\(name)\(token.trailingTrivia)"
    }.joined()
  }
}
