internal import AnvilBase

/// An error thrown for a value of the wrong kind, out of range or in the wrong format.
public struct TypeMismatchError: JSONDecodingError {
  /// The expected type: a type name such as `Int8`, or `object` or `array`.
  public let expected: String
  /// The kind of the value.
  public let found: JSON.Kind
  /// The path from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed.
  public var object: JSON?
  /// The value at which ``path`` starts.
  public var rootObject: JSON?
  /// The kinds of the raw values, and at most the first twelve raw values as text, if the expected type is an enumeration.
  package private(set) var enumeration: (rawKinds: [JSON.Kind], choices: [String])?

  /// Creates an error for `object`, which is not a valid `type`. Use it in the `decode(_:)` of custom types.
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

  /// The location and the value: `TypeMismatchError at object.repo.id: expected Int, found string in "12"`. For an enumeration, its first
  /// raw values are included: `expected Color (one of red, green), found number in 12`.
  public var description: String {
    let choices = enumeration?.choices ?? []
    let note = choices.isEmpty ? "" : " (one of \(choices.map(\.printable).joined(separator: ", ")))"
    return description(of: "expected \(expected)\(note), found \(found)")
  }

  /// True if the error concerns the value itself, not a part of it, and the kind of the value is not that of the expected type.
  var isKindMismatch: Bool { path.steps.isEmpty && !JSON.Kind.kinds(ofTypeNamed: expected).contains(found) }

  /// Returns the same error with `type` in place of the type of its raw values. Returns the error unchanged if `type` is not an
  /// enumeration.
  func expecting(enumeration type: Any.Type) -> Self {
    let choices = EnumMetadata.rawValues(of: type)
    guard !choices.isEmpty else { return self }
    var error = Self(
      expected: String(describing: type), found: found, path: path, object: object, rootObject: rootObject)
    error.enumeration = (JSON.Kind.kinds(ofTypeNamed: expected), choices)
    return error
  }
}

extension JSON {
  /// Returns the error for this value, which is not a valid `type`.
  @inline(never)
  package func mismatch(_ type: Any.Type) -> any Error { TypeMismatchError(expected: type, in: self) }

  /// Returns the error for this value, which is not of `kind`.
  @inline(never)
  package func mismatch(_ kind: Kind) -> any Error { TypeMismatchError(expected: kind.description, in: self) }
}
