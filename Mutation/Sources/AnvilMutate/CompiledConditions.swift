import SwiftSyntax

/// The conditions of `#if` that hold in a debug build on this machine.
///
/// An unknown condition is nil: neither its code nor its alternatives are mutated.
enum CompiledConditions {
  static func holds(_ condition: ExprSyntax?) -> Bool? {
    guard let condition else { return true }
    if let group = condition.as(TupleExprSyntax.self), group.elements.count == 1 {
      return holds(group.elements.first?.expression)
    }
    if let negated = condition.as(PrefixOperatorExprSyntax.self), negated.operator.text == "!" {
      return holds(negated.expression).map { !$0 }
    }
    if let call = condition.as(FunctionCallExprSyntax.self), let argument = call.arguments.first {
      switch call.calledExpression.trimmedDescription {
      case "os": return argument.trimmedDescription == system
      case "canImport": return modules[argument.trimmedDescription]
      default: return nil
      }
    }
    return condition.trimmedDescription == "DEBUG" ? true : nil
  }

  #if os(Linux)
  private static let system = "Linux"
  #else
  private static let system = "macOS"
  #endif

  /// The modules of the package's conditions, and whether they are in the toolchain that compiles this.
  private static let modules: [String: Bool] = {
    var modules = [
      "FoundationEssentials": false, "FoundationNetworking": false, "Glibc": false, "Musl": false, "Darwin": false,
      "ObjectiveC": false, "CryptoKit": false, "CoreData": false,
    ]
    #if canImport(FoundationEssentials)
    modules["FoundationEssentials"] = true
    #endif
    #if canImport(FoundationNetworking)
    modules["FoundationNetworking"] = true
    #endif
    #if canImport(Glibc)
    modules["Glibc"] = true
    #endif
    #if canImport(Musl)
    modules["Musl"] = true
    #endif
    #if canImport(Darwin)
    modules["Darwin"] = true
    modules["ObjectiveC"] = true
    modules["CryptoKit"] = true
    modules["CoreData"] = true
    #endif
    return modules
  }()
}
