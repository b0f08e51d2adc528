import SwiftSyntax

extension ExprSyntax {
  /// The text as an operand, in parentheses where operators would otherwise bind differently.
  var operand: String {
    `is`(InfixOperatorExprSyntax.self) || `is`(TernaryExprSyntax.self) ? "(\(trimmedDescription))" : trimmedDescription
  }

  /// `true` if a literal in the expression shows that it adds strings or arrays, which cannot be subtracted.
  var isText: Bool {
    if `is`(StringLiteralExprSyntax.self) || `is`(ArrayExprSyntax.self) { return true }
    if let infix = `as`(InfixOperatorExprSyntax.self) { return infix.leftOperand.isText || infix.rightOperand.isText }
    return false
  }

  /// `true` if the expression is a call with an unused result, and the program compiles without the call.
  var isRemovableCall: Bool {
    if let effect = `as`(TryExprSyntax.self) { return effect.expression.isRemovableCall }
    if let effect = `as`(AwaitExprSyntax.self) { return effect.expression.isRemovableCall }
    if let effect = `as`(UnsafeExprSyntax.self) { return effect.expression.isRemovableCall }
    if let infix = `as`(InfixOperatorExprSyntax.self) {
      return infix.leftOperand.is(DiscardAssignmentExprSyntax.self) && infix.rightOperand.isRemovableCall
    }
    guard let call = `as`(FunctionCallExprSyntax.self) else { return false }
    return !call.isWithoutBehavior && !call.calledExpression.trimmedDescription.hasSuffix(".init")
  }
}

extension FunctionCallExprSyntax {
  /// `true` if the call only checks a precondition, is a hint for speed, or releases memory (scripts/sanitize finds
  /// leaks).
  var isWithoutBehavior: Bool {
    let name =
      calledExpression.as(MemberAccessExprSyntax.self)?.declName ?? calledExpression.as(DeclReferenceExprSyntax.self)
    let text = name?.baseName.text ?? ""
    return text.lowercased().hasSuffix("free")
      || [
        "deallocate", "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError",
        "reserveCapacity",
        "withExtendedLifetime", "exit", "abort",
      ].contains(text)
  }
}

extension MemberAccessExprSyntax {
  /// `true` if the member is written to.
  var isAssigned: Bool {
    if parent?.is(InOutExprSyntax.self) == true { return true }
    guard let infix = parent?.as(InfixOperatorExprSyntax.self), infix.leftOperand.id == ExprSyntax(self).id else {
      return false
    }
    return infix.operator.trimmedDescription.hasSuffix("=")
  }
}

extension IntegerLiteralExprSyntax {
  var value: UInt64? {
    let digits = literal.text.filter { $0 != "_" }
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where digits.hasPrefix(prefix) {
      return UInt64(digits.dropFirst(2), radix: radix)
    }
    return UInt64(digits)
  }
}

extension CodeBlockItemSyntax {
  var isOnlyItem: Bool { parent?.as(CodeBlockItemListSyntax.self)?.count == 1 }

  /// `true` if the item is the whole body of a function or getter that returns an optional.
  var isBodyOfOptional: Bool {
    guard isOnlyItem, let owner = parent?.parent else { return false }
    if owner.is(AccessorBlockSyntax.self) { return owner.returnsOptional }
    guard owner.is(CodeBlockSyntax.self), let parent = owner.parent else { return false }
    return (parent.is(FunctionDeclSyntax.self) || parent.is(AccessorDeclSyntax.self)) && parent.returnsOptional
  }

  /// `true` if the item may be the value of its parent: of a single-expression body or of a branch.
  var isValue: Bool {
    guard isOnlyItem, let owner = parent?.parent else { return false }
    if let closure = owner.as(ClosureExprSyntax.self) { return !closure.isKnownToReturnNothing }
    if owner.is(AccessorBlockSyntax.self) { return true }
    if owner.is(SwitchCaseSyntax.self) { return owner.parent?.parent?.isValueOfBranches ?? true }
    guard owner.is(CodeBlockSyntax.self), let parent = owner.parent else { return false }
    if let function = parent.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
    if let accessor = parent.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text == "get" }
    if parent.is(IfExprSyntax.self) { return parent.isValueOfBranches }
    return false
  }
}

extension Syntax {
  /// `true` if the value of an `if` or a `switch` is used.
  fileprivate var isValueOfBranches: Bool {
    guard let parent else { return true }
    // `else if` is inside another.
    if parent.is(IfExprSyntax.self) { return parent.isValueOfBranches }
    let statement = parent.is(ExpressionStmtSyntax.self) ? parent.parent : parent
    return statement?.as(CodeBlockItemSyntax.self)?.isValue ?? true
  }

  /// `true` if the enclosing function or getter returns an optional.
  var returnsOptional: Bool {
    if let function = `as`(FunctionDeclSyntax.self) {
      return function.signature.returnClause?.type.is(OptionalTypeSyntax.self) == true
    }
    if let subscripted = `as`(SubscriptDeclSyntax.self) {
      return subscripted.returnClause.type.is(OptionalTypeSyntax.self)
    }
    if let binding = `as`(PatternBindingSyntax.self) {
      return binding.accessorBlock != nil && binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) == true
    }
    if let accessor = `as`(AccessorDeclSyntax.self), accessor.accessorSpecifier.text != "get" { return false }
    if `is`(ClosureExprSyntax.self) || `is`(InitializerDeclSyntax.self) { return false }
    return parent?.returnsOptional ?? false
  }
}

extension ClosureExprSyntax {
  /// `true` if the closure is the body of a scope that usually contains statements.
  fileprivate var isKnownToReturnNothing: Bool {
    guard let call = parent?.as(FunctionCallExprSyntax.self) else { return false }
    let name = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    // A call whose own result is not used.
    return name == "withLock" && call.parent?.is(CodeBlockItemSyntax.self) == true
  }
}
