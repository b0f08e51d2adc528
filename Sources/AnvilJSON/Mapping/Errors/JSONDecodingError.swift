/// Why a value could not be made from JSON, and where.
///
/// On the way up every `=>` puts its path before ``path`` and replaces ``rootObject``, and sets ``object`` where there is
/// none yet: an error that is caught outside all operators leads from the outermost JSON to what failed. Conform an error
/// type of your own, with all three properties empty at first, and it is treated the same.
public protocol JSONDecodingError: Error, CustomStringConvertible {
  /// The way from ``rootObject`` to ``object``.
  var path: JSON.Path { get set }
  /// The value that failed: for a missing key, the object in which it was looked up.
  var object: JSON? { get set }
  /// The value that ``path`` starts from.
  var rootObject: JSON? { get set }
}

extension JSONDecodingError {
  /// The error's type, the place and what is there: `InvalidColor at object.theme.accent in "purpel"`.
  public var description: String { description(of: nil) }

  /// The error's type, the place, `problem`, and the beginning of what is there.
  func description(of problem: String?) -> String {
    var place = "object"
    for step in path.steps { place.append(step) }
    let object = object.map { " in \($0.excerpt)" } ?? ""
    return "\(Self.self) at \(place)\(problem.map { ": \($0)" } ?? "")\(object)"
  }
}

extension JSON {
  /// `error`, thrown for the value at `index` to which `path` leads from here, with path, object and root.
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

  /// Why `path`, which leads nowhere from here, does not.
  @usableFromInline @inline(never)
  func failure(at path: Path) -> any JSONDecodingError {
    var index = index
    let steps = path.steps
    for (number, step) in steps.enumerated() {
      let next = document.value(at: step, from: index)
      if next < 0 { return failure(of: step, behind: Path(steps: Array(steps[..<number])), index: index) }
      index = next
    }
    return TypeMismatchError(expected: JSON.self, in: self)
  }

  /// Why `step`, behind `path`, does not lead on from the value at `index`.
  @inline(never)
  func failure(of step: Step, behind path: Path, index: Int) -> any JSONDecodingError {
    let object = JSON(document, at: index)
    guard object.word.accepts(step) else {
      let expected = if case .key = step { JSON.Kind.object } else { JSON.Kind.array }
      return TypeMismatchError(expected: expected.description, at: path, object: object, rootObject: self)
    }
    return MissingKeyError(Path(steps: [step]), at: path, object: object, rootObject: self)
  }
}
