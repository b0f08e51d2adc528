import SwiftOperators
import SwiftSyntax

/// Finds the mutants of a file.
///
/// Left alone is code that a switch at run time cannot be in (types, attributes, patterns, default arguments, raw values), text
/// of messages, code that this machine does not compile, and code without behaviour: assertions and reserved capacities.
final class MutantFinder: SyntaxVisitor {
  private(set) var mutants: [Mutant] = []
  private let file: String
  private let source: [UInt8]
  private let converter: SourceLocationConverter
  private let lines: [Substring]

  init(file: String, source: String, tree: some SyntaxProtocol) {
    self.file = file
    self.source = Array(source.utf8)
    converter = SourceLocationConverter(fileName: file, tree: tree)
    lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    super.init(viewMode: .sourceAccurate)
    walk(tree)
  }

  func text(_ node: some SyntaxProtocol) -> String { node.trimmedDescription }

  /// The condition of ``Mutant/replacement``.
  private let isOn = Mutant.switchCall

  /// Adds a mutant.
  func add(_ kind: Mutant.Operator, at node: some SyntaxProtocol, mutated: String, replacement: String) {
    let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    mutants.append(
      Mutant(
        kind: kind, file: file, line: line, range: start..<start + node.trimmedLength.utf8Length, original: text(node),
        mutated: mutated, replacement: replacement,
        lineText: String(lines[line - 1]).singleLine))
  }

  // MARK: Code that is left alone

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: GenericArgumentClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: GenericParameterClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: GenericWhereClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: TypeAnnotationSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ReturnClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionParameterClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AvailabilityConditionSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
    // A table of constants would have more mutants than the code that reads it.
    node.elements.count > 16 ? .skipChildren : .visitChildren
  }

  override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
    ["capacity", "minimumCapacity", "unsafeUninitializedCapacity"].contains(node.label?.text)
      ? .skipChildren : .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    node.isWithoutBehavior ? .skipChildren : .visitChildren
  }

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    for clause in node.clauses {
      guard let holds = CompiledConditions.holds(clause.condition) else { break }
      if holds {
        if let elements = clause.elements { walk(elements) }
        break
      }
    }
    return .skipChildren
  }

  // MARK: Operators

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return .visitChildren }
    let original = text(node)
    let left = node.leftOperand
    let right = node.rightOperand
    func changed(to symbol: String) -> String { "\(left.operand) \(symbol) \(right.operand)" }
    switch symbol {
    case "<", "<=", ">", ">=":
      let mutated = changed(to: symbol.hasSuffix("=") ? String(symbol.dropLast()) : symbol + "=")
      add(.comparison, at: node, mutated: mutated, replacement: "(\(isOn) ? (\(mutated)) : (\(original)))")
    case "==", "!=":
      let mutated = changed(to: symbol == "==" ? "!=" : "==")
      add(.comparison, at: node, mutated: mutated, replacement: "(\(isOn) != (\(original)))")
    case "&&", "||":
      let mutated = changed(to: symbol == "&&" ? "||" : "&&")
      add(.logic, at: node, mutated: mutated, replacement: "(\(isOn) ? (\(mutated)) : (\(original)))")
    case "+", "-", "&+", "&-":
      guard !left.isText, !right.isText else { break }
      let mutated = changed(to: symbol.hasSuffix("+") ? symbol.dropLast() + "-" : symbol.dropLast() + "+")
      add(.arithmetic, at: node, mutated: mutated, replacement: "(\(isOn) ? (\(mutated)) : (\(original)))")
    case "+=", "-=", "&+=", "&-=":
      guard !right.isText, node.parent?.is(CodeBlockItemSyntax.self) == true else { break }
      let mutated = changed(to: symbol.hasSuffix("+=") ? symbol.dropLast(2) + "-=" : symbol.dropLast(2) + "+=")
      add(.arithmetic, at: node, mutated: mutated, replacement: "if \(isOn) { \(mutated) } else { \(original) }")
    case "..<":
      guard !left.isText, !right.isText else { break }
      let replacement = "(\(left.operand) ..< (\(right.operand) + (\(isOn) ? 1 : 0)))"
      add(.range, at: node, mutated: changed(to: "..."), replacement: replacement)
    case "...":
      guard !left.isText, !right.isText else { break }
      let replacement = "(\(left.operand) ... (\(right.operand) - (\(isOn) ? 1 : 0)))"
      add(.range, at: node, mutated: changed(to: "..<"), replacement: replacement)
    default: break
    }
    return .visitChildren
  }

  // MARK: Conditions

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let condition) = node.condition { negate(condition) }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    // That of a case is a condition, too; the bindings of the pattern are in scope.
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  private func negate(_ condition: ExprSyntax) {
    // The same as the mutants of the literal and of the comparison.
    if condition.is(BooleanLiteralExprSyntax.self) { return }
    if let infix = condition.as(InfixOperatorExprSyntax.self), ["==", "!="].contains(text(infix.operator)) { return }
    let original = text(condition)
    add(.condition, at: condition, mutated: "!(\(original))", replacement: "(\(isOn) != (\(original)))")
  }

  // MARK: Literals and members

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    guard let value = node.value, value < UInt64.max else { return .skipChildren }
    let mutated = value == 1 ? "0" : "\(value + 1)"
    add(.literal, at: node, mutated: mutated, replacement: "(\(isOn) ? \(mutated) : \(text(node)))")
    return .skipChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    // Without it, a loop that only a jump leaves would not end for the compiler.
    if node.parent?.parent?.parent?.is(WhileStmtSyntax.self) == true { return .skipChildren }
    let original = text(node)
    let mutated = original == "true" ? "false" : "true"
    add(.boolean, at: node, mutated: mutated, replacement: "(\(isOn) ? \(mutated) : \(original))")
    return .skipChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.declName.trimmedDescription
    guard ["first", "last"].contains(name), let base = node.base, !node.isAssigned else { return .visitChildren }
    let other = name == "first" ? "last" : "first"
    var whole = Syntax(node)
    var arguments = ""
    if let call = node.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == node.id {
      whole = Syntax(call)
      arguments = String(text(call).dropFirst(text(node).count))
    }
    let mutated = "\(text(base)).\(other)\(arguments)"
    add(.end, at: whole, mutated: mutated, replacement: "(\(isOn) ? \(mutated) : \(text(whole)))")
    return .visitChildren
  }

  // MARK: Statements

  override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    if let value = node.expression, Syntax(node).returnsOptional { removeValue(value) }
    return .visitChildren
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard case .expr(let expression) = node.item else { return .visitChildren }
    if node.isBodyOfOptional {
      // The value of a body that is one expression.
      if !expression.is(IfExprSyntax.self), !expression.is(SwitchExprSyntax.self) { removeValue(expression) }
    } else if expression.isRemovableCall, !node.isValue {
      let original = text(expression)
      add(.removal, at: expression, mutated: "", replacement: "if !\(isOn) { \(original) }")
    }
    return .visitChildren
  }

  private func removeValue(_ value: ExprSyntax) {
    guard !value.is(NilLiteralExprSyntax.self) else { return }
    add(.absence, at: value, mutated: "nil", replacement: "(\(isOn) ? nil : (\(text(value))))")
  }
}
