internal import AnvilBase

/// An error thrown while a value is decoded from JSON, with its location.
///
/// As the error propagates, each `=>` prepends its path to ``path`` and replaces ``rootObject``. It sets ``object`` if it is still `nil`.
/// An error that is caught outside all operators therefore contains the path from the outermost JSON to the value that failed. An error of
/// a custom type that conforms to this protocol is treated the same if all three properties are initially empty.
public protocol JSONDecodingError: Error, CustomStringConvertible {
  /// The path from ``rootObject`` to ``object``.
  var path: JSON.Path { get set }
  /// The value that failed. For a missing key, the object in which it was looked up.
  var object: JSON? { get set }
  /// The value at which ``path`` starts.
  var rootObject: JSON? { get set }
}

extension JSONDecodingError {
  /// The type of the error, the location and the value found there: `InvalidColor at object.theme.accent in "purpel"`.
  public var description: String { description(of: nil) }

  /// Returns the type of the error, the location, `problem`, and the beginning of the value found there.
  func description(of problem: String?) -> String {
    path.description(of: String(describing: Self.self), problem, in: object)
  }
}

extension JSON.Path {
  /// Returns the description of an error with this path. The function is separate so that it is not specialised for each type of error.
  @inline(never)
  fileprivate func description(of error: String, _ problem: String?, in object: JSON?) -> String {
    var text = "\(error) at \(place)"
    if let problem { text += ": \(problem)" }
    if let object { text += " in \(object.excerpt)" }
    return text
  }
}

extension JSON {
  /// Returns `error` with path, object and root added. The error was thrown for the value at `index`, and `path` leads from this value to
  /// that value.
  @usableFromInline @inline(never)
  func locating(_ error: any Error, at path: Path, index: Int) -> any JSONDecodingError {
    guard var error = error as? any JSONDecodingError else {
      return WrappedDecodingError(error, at: path, object: JSON(document, at: index), rootObject: self)
    }
    error.path = path.appending(error.path)
    if error.object == nil { error.object = JSON(document, at: index) }
    error.rootObject = self
    return error
  }

  /// Returns `error` with path, object and root added. The error was thrown for `value`, and `path` leads from this value to `value`.
  package func locating(_ error: any Error, at path: Path, in value: JSON) -> any JSONDecodingError {
    locating(error, at: path, index: value.index)
  }

  /// Returns the error for `path`, which does not lead to a value.
  @usableFromInline @inline(never)
  func failure(at path: Path) -> any JSONDecodingError {
    var index = index
    let steps = path.steps
    for (number, step) in steps.enumerated() {
      let next = document.value(at: step, from: index)
      if next < 0 { return failure(of: step, after: Path(steps: Array(steps[..<number])), index: index) }
      index = next
    }
    return TypeMismatchError(expected: JSON.self, in: self)
  }

  /// Returns the error for `step`, which leads nowhere from the value at `index`. `path` leads from this value to the value at `index`.
  @inline(never)
  func failure(of step: Step, after path: Path, index: Int) -> any JSONDecodingError {
    let object = JSON(document, at: index)
    guard object.word.accepts(step) else {
      let expected = if case .key = step { JSON.Kind.object } else { JSON.Kind.array }
      return TypeMismatchError(expected: expected.description, at: path, object: object, rootObject: self)
    }
    return MissingKeyError(key: Path(steps: [step]), path: path, object: object, rootObject: self)
  }
}

/// The underlying error of a `DecodingError` for a value that is not one of the cases of an enumeration.
package struct UnknownCase: Error, Sendable, CustomStringConvertible {
  /// The tags or names of the cases, in the order of their declaration.
  package let cases: [String]

  package var description: String { "the cases are \(cases.joined(separator: ", "))" }

  package init(_ cases: [String]) { self.cases = cases }

  /// Returns the cases that `error` names; `nil` for other errors.
  package static func cases(of error: any Error) -> [String]? {
    ((error as? DecodingError)?.context.underlyingError as? UnknownCase)?.cases
  }
}

/// The error of one of Anvil's strategies, which names the form that a value should have.
package protocol ExpectedFormError: Error {
  /// The name of a type, or a few words; `nil` if the form is not known.
  var expectedForm: String? { get }
}

/// An error thrown for a key that is missing in an object, or an index beyond the end of an array.
public struct MissingKeyError: JSONDecodingError {
  /// The step that is missing.
  public let key: JSON.Path
  /// The path from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The object without the key, or the array that is too short.
  public var object: JSON?
  /// The value at which ``path`` starts.
  public var rootObject: JSON?

  /// The location, the key and the object: `MissingKeyError at object.repo.owner: name in {"id": 1, "login": "anviking"}`.
  public var description: String { description(of: key.description) }
}

/// An error thrown for a value of the wrong kind, out of range or in the wrong format.
public struct TypeMismatchError: JSONDecodingError {
  /// The expected type: a type name such as `Int8`, or `object` or `array`.
  public private(set) var expected: String
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
    self.init(expected: String(describing: type), at: JSON.Path(), object: object, rootObject: object)
  }

  package init(expected: String, at path: JSON.Path, object: JSON, rootObject: JSON) {
    self.expected = expected
    found = object.kind
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
    var error = self
    error.expected = String(describing: type)
    error.enumeration = (JSON.Kind.kinds(ofTypeNamed: expected), choices)
    return error
  }
}

extension JSON {
  @inline(never)
  package func mismatch(_ type: Any.Type) -> any Error { TypeMismatchError(expected: type, in: self) }

  @inline(never)
  package func mismatch(_ kind: Kind) -> any Error {
    TypeMismatchError(expected: kind.description, at: Path(), object: self, rootObject: self)
  }
}

/// An error other than a ``JSONDecodingError`` that was thrown while a value was decoded, with its location.
///
/// It also wraps the `DecodingError` of a `Decodable` type. The coding path of that error is appended to ``path``, up to the first key
/// that is not found in the value.
public struct WrappedDecodingError: JSONDecodingError {
  /// The error that was thrown.
  public let underlyingError: any Error
  /// The path from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed.
  public var object: JSON?
  /// The value at which ``path`` starts.
  public var rootObject: JSON?

  init(_ error: any Error, at path: JSON.Path, object: JSON, rootObject: JSON) {
    underlyingError = error
    var steps = path.steps
    var object = object
    for key in (error as? DecodingError)?.context.codingPath ?? [] {
      // A strategy may have converted the key from another one. Keys that are not found here are left to the description.
      let step: JSON.Step = key.intValue.flatMap { object.kind == .array ? .index($0) : nil } ?? .key(key.stringValue)
      let next = object.document.value(at: step, from: object.index)
      guard next >= 0 else { break }
      steps.append(step)
      object = JSON(object.document, at: next)
    }
    self.path = JSON.Path(steps: steps)
    self.object = object
    self.rootObject = rootObject
  }

  /// The location and the error.
  public var description: String {
    guard let error = underlyingError as? DecodingError else { return description(of: "\(underlyingError)") }
    return description(of: error.problem)
  }
}

extension DecodingError {
  /// The description of the problem. It does not include the path, because the path precedes it.
  fileprivate var problem: String {
    switch self {
    case .typeMismatch(let type, _), .valueNotFound(let type, _): "expected \(type): \(reason)"
    case .keyNotFound(let key, _): "missing key \(key.stringValue)"
    default: reason
    }
  }
}

/// An error thrown for a value that could not be decoded as any of several types.
public struct NoMatchingTypeError: JSONDecodingError {
  /// A type that was tried.
  public struct Attempt: Sendable {
    /// The name of the type.
    public let type: String
    /// The error that was thrown when the value was decoded as this type. The path of a ``JSONDecodingError`` begins at
    /// ``NoMatchingTypeError/object``.
    public let error: any Error
  }

  /// The types in the order in which they were tried.
  public let attempts: [Attempt]
  /// The path from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed.
  public var object: JSON?
  /// The value at which ``path`` starts.
  public var rootObject: JSON?

  /// The location and the reason for each type:
  /// `NoMatchingTypeError at object.pet: not Dog (MissingKeyError at object: bark in {}), not Cat (…) in {}`.
  public var description: String {
    guard !attempts.isEmpty else { return description(of: "no types were given") }
    return description(of: attempts.map { "not \($0.type) (\($0.error))" }.joined(separator: ", "))
  }
}

/// An error thrown for a value that is not a raw value of its type.
public struct RawRepresentableInitializationError: JSONDecodingError {
  /// The name of the type.
  public let type: String
  /// At most the first twelve raw values of ``type`` as text; empty if it is not an enumeration.
  package let choices: [String]
  /// The path from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed.
  public var object: JSON?
  /// The value at which ``path`` starts.
  public var rootObject: JSON?

  /// Creates an error for the value `object`, which is not a raw value of `type`.
  init(_ type: Any.Type, in object: JSON) {
    self.type = String(describing: type)
    choices = EnumMetadata.rawValues(of: type)
    path = JSON.Path()
    self.object = object
    rootObject = object
  }

  /// The location and the raw value: `RawRepresentableInitializationError at object.color: not a valid value of Color in "purpel"`.
  public var description: String { description(of: "not a valid value of \(type)") }
}

extension EnumMetadata {
  /// Returns at most the first twelve raw values of `type` as text; an empty array if it is not an enumeration with raw values.
  package static func rawValues(of type: Any.Type) -> [String] {
    func rawValues<T: RawRepresentable>(_ type: T.Type) -> [String] {
      EnumMetadata.cases(of: type).prefix(12).map { "\($0.rawValue)" }
    }
    return (type as? any RawRepresentable.Type).map { rawValues($0) } ?? []
  }
}

extension JSON.Kind {
  /// Returns the kinds of values from which the type named `name` is decoded. If `name` is the name of a kind, such as `object`, returns
  /// only that kind.
  package static func kinds(ofTypeNamed name: String) -> [JSON.Kind] {
    switch name {
    case "String", "Substring", "Character", "URL", "UUID": [.string]
    case "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
      "Double", "Float", "Float16", "Decimal":
      [.number]
    case "Bool": [.bool]
    case let name where name.hasPrefix("[") && name.contains(": "): [.object]
    case let name where name.hasPrefix("[") || name.hasPrefix("Set<"): [.array]
    case let name: JSON.Kind(rawValue: name).map { [$0] } ?? []
    }
  }
}
