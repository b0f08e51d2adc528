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
    var text = "\(error) at object"
    for step in steps { text.append(step) }
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
    return MissingKeyError(Path(steps: [step]), at: path, object: object, rootObject: self)
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
