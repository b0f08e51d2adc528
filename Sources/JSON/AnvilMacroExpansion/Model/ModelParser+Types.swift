import SwiftSyntax

/// Types by their text: whether they can be coded, what they wrap and contain.
extension ModelParser {
  /// Returns a description of `type` if such types cannot be coded, such as functions; `nil` for other types.
  static func kindWithoutCoding(_ type: String) -> String? {
    guard !type.hasPrefix("some ") else { return "an opaque type" }
    guard type.utf8.contains(UInt8(ascii: "(")) else { return nil }
    let syntax = TypeSyntax(stringLiteral: wrapped(type) ?? type)
    if syntax.is(FunctionTypeSyntax.self) { return "a function" }
    if let attributed = syntax.as(AttributedTypeSyntax.self) {
      return kindWithoutCoding(attributed.baseType.trimmedDescription)
    }
    guard let tuple = syntax.as(TupleTypeSyntax.self) else { return nil }
    guard tuple.elements.count == 1, let element = tuple.elements.first else { return "a tuple" }
    return kindWithoutCoding(element.type.trimmedDescription)
  }

  /// Returns the reason why an optional type cannot be coded; `nil` if it can, and for other types.
  ///
  /// - Parameter isNullDistinct: Whether a missing value can be distinguished from `null`, as for a member of an object.
  static func problem(withOptional type: String, isNullDistinct: Bool) -> String? {
    guard let inner = wrapped(type), isNullDistinct ? Self.isNullDistinct(inner) : wrapped(inner) != nil else {
      return nil
    }
    return "an optional of an optional cannot be coded here, because null would have two meanings: write \(inner)"
  }

  /// Returns whether `type` is an optional of an optional, which tells a missing value from `null`.
  static func isNullDistinct(_ type: String) -> Bool { wrapped(type).flatMap(wrapped) != nil }

  /// Returns the type without its optionality; `nil` if it is not optional.
  static func innermost(_ type: String) -> String? { wrapped(type).map { innermost($0) ?? operand($0) } }

  /// Returns a type with parentheses if it needs them before `?` or `.self`: `(any Shape)`.
  static func operand(_ type: String) -> String {
    // The plugin is not optimised, and most types need no parser.
    guard type.utf8.contains(where: [UInt8(ascii: " "), UInt8(ascii: "&")].contains) else { return type }
    switch TypeSyntax(stringLiteral: type).kind {
    case .someOrAnyType, .compositionType, .attributedType: return "(\(type))"
    default: return type
    }
  }

  /// Returns the type of the elements of an array, a set, or a dictionary with keys of type `String`; `nil` for other types.
  static func element(ofContainer type: String) -> String? {
    let syntax = TypeSyntax(stringLiteral: type)
    if let array = syntax.as(ArrayTypeSyntax.self) { return array.element.trimmedDescription }
    let arguments = genericArguments(of: syntax, ["Array", "Set"])
    return arguments.count == 1 ? arguments[0] : element(ofDictionary: type)
  }

  /// Returns the type of the values of a dictionary with keys of type `String`; `nil` for other types.
  static func element(ofDictionary type: String) -> String? {
    let syntax = TypeSyntax(stringLiteral: type)
    let dictionary = syntax.as(DictionaryTypeSyntax.self)
    let arguments =
      dictionary.map { [$0.key.trimmedDescription, $0.value.trimmedDescription] }
      ?? genericArguments(of: syntax, ["Dictionary"])
    return arguments.count == 2 && ["String", "Swift.String"].contains(arguments[0]) ? arguments[1] : nil
  }

  /// Returns the generic arguments of a type of the standard library with one of `names`.
  private static func genericArguments(of type: TypeSyntax, _ names: Set<String>) -> [String] {
    let member = type.as(MemberTypeSyntax.self)
    guard member == nil || member?.baseType.trimmedDescription == "Swift" else { return [] }
    let generic = type.as(IdentifierTypeSyntax.self)
    guard let name = (generic?.name ?? member?.name)?.text, names.contains(name) else { return [] }
    let clause = generic?.genericArgumentClause ?? member?.genericArgumentClause
    return clause?.arguments.map(\.argument.trimmedDescription) ?? []
  }

  /// Returns the type that an optional type wraps; `nil` for other types.
  static func wrapped(_ type: String) -> String? {
    // The plugin is not optimised, and most types need no parser.
    guard
      type.utf8.contains(where: [UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "(")].contains)
        || type.contains("Optional")
    else { return nil }
    let syntax = TypeSyntax(stringLiteral: type)
    if let optional = syntax.as(OptionalTypeSyntax.self) { return optional.wrappedType.trimmedDescription }
    if let optional = syntax.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType.trimmedDescription
    }
    if let tuple = syntax.as(TupleTypeSyntax.self), tuple.elements.count == 1, let element = tuple.elements.first {
      return wrapped(element.type.trimmedDescription)
    }
    return genericArguments(of: syntax, ["Optional"]).first
  }
}
