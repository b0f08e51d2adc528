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

  /// That `object` is no `type`: for `decode(_:)` of types of your own.
  public init(expected type: Any.Type, in object: JSON) {
    self.init(expected: String(describing: type), in: object)
  }

  init(expected: String, in object: JSON) {
    self.init(expected: expected, at: JSON.Path(), object: object, rootObject: object)
  }

  package init(expected: String, at path: JSON.Path, object: JSON, rootObject: JSON) {
    self.expected = expected
    found = object.kind
    self.path = path
    self.object = object
    self.rootObject = rootObject
  }

  /// Where, and what there is instead: `TypeMismatchError at object.repo.id: expected Int, found string in "12"`.
  public var description: String { description(of: "expected \(expected), found \(found)") }
}

extension JSON {
  /// That this value is no `type`.
  @inline(never)
  func mismatch(_ type: Any.Type) -> any Error { TypeMismatchError(expected: type, in: self) }

  /// That this value is not of `kind`.
  @inline(never)
  func mismatch(_ kind: Kind) -> any Error { TypeMismatchError(expected: kind.description, in: self) }
}
