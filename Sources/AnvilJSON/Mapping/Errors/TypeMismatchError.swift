/// A value that is of another kind than what is made from it, or out of its range, or not in its form.
public struct TypeMismatchError: JSONDecodingError {
  /// What was wanted: a type's name, `Int8`, or `object` or `array`.
  public let expected: String
  /// What was found.
  public let found: JSON.Kind
  /// The way from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed.
  public var object: JSON?
  /// The value that ``path`` starts from.
  public var rootObject: JSON?
  /// What is wanted is an enumeration; its raw values are of these kinds.
  package private(set) var enumeration: (rawKinds: [JSON.Kind], choices: [String])?

  /// That `object` is no `type`: for `decode(_:)` of types of your own.
  public init(expected type: Any.Type, in object: JSON) {
    self.init(expected: String(describing: type), in: object)
  }

  init(expected: String, in object: JSON) {
    self.init(expected: expected, at: JSON.Path(), object: object, rootObject: object)
  }

  package init(expected: String, at path: JSON.Path, object: JSON, rootObject: JSON) {
    self.init(expected: expected, found: object.kind, path: path, object: object, rootObject: rootObject)
  }

  private init(expected: String, found: JSON.Kind, path: JSON.Path, object: JSON?, rootObject: JSON?) {
    self.expected = expected
    self.found = found
    self.path = path
    self.object = object
    self.rootObject = rootObject
  }

  /// Where, and what there is instead: `TypeMismatchError at object.repo.id: expected Int, found string in "12"`. Of an enumeration
  /// its first cases, too: `expected Color (one of red, green), found number in 12`.
  public var description: String {
    let choices = enumeration?.choices ?? []
    let note = choices.isEmpty ? "" : " (one of \(choices.map(\.printable).joined(separator: ", ")))"
    return description(of: "expected \(expected)\(note), found \(found)")
  }

  /// Whether the value itself is of another kind than what is wanted.
  var isOfKind: Bool { path.steps.isEmpty && !JSON.Kind.kinds(ofTypeNamed: expected).contains(found) }

  /// The same error for `type`, whose raw value was wanted; as it is where `type` is no enumeration.
  func expecting(enumeration type: Any.Type) -> Self {
    let choices = EnumShape.rawValues(of: type)
    guard !choices.isEmpty else { return self }
    var error = Self(
      expected: String(describing: type), found: found, path: path, object: object, rootObject: rootObject)
    error.enumeration = (JSON.Kind.kinds(ofTypeNamed: expected), choices)
    return error
  }
}

extension JSON {
  /// That this value is no `type`.
  @inline(never)
  func mismatch(_ type: Any.Type) -> any Error { TypeMismatchError(expected: type, in: self) }

  /// That this value is not of `kind`.
  @inline(never)
  func mismatch(_ kind: Kind) -> any Error { TypeMismatchError(expected: kind.description, in: self) }
}
