public import AnvilJSON

/// All errors of decoding a value, collected by ``JSON/Fields`` or ``JSONDecodable/decodeAll(_:)``.
///
/// A single error is thrown as it is. `JSONDecodingError.all` is the list in both cases.
public struct JSONDecodingErrors: JSONDecodingError {
  /// The maximum number of errors that are kept: 100. Arrays and dictionaries stop decoding at this number.
  package static var limit: Int { 100 }

  /// The path from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed, which contains all of the errors.
  public var object: JSON?
  /// The value at which ``path``, and the path of each error, starts.
  public var rootObject: JSON?
  /// The errors, with paths from the value that contains them.
  private let parts: [any JSONDecodingError]

  /// Creates an error from `errors`, whose paths start at `object`. There must be at least one error, and none of them may be a group.
  init(_ errors: [any JSONDecodingError], in object: JSON) {
    parts = errors
    path = JSON.Path()
    self.object = object
    rootObject = object
  }

  /// The errors in the order in which they were found, at most 100. None of them is a group.
  public var errors: [any JSONDecodingError] {
    parts.map { part in
      var error = part
      error.path = path.appending(part.path)
      error.rootObject = rootObject
      return error
    }
  }

  /// The number of errors, followed by one line for each:
  ///
  ///     2 errors at object.owner
  ///       TypeMismatchError at object.owner.id: expected Int, found string in "12"
  ///       MissingKeyError at object.owner: name in {"id": "12"}
  public var description: String {
    var place = "object"
    for step in path.steps { place.append(step) }
    let more = parts.count < Self.limit ? "" : " or more"
    return errors.reduce("\(parts.count) errors\(more) at \(place)") { $0 + "\n  \($1)" }
  }

  /// Returns one error for all of `errors`, whose paths start at `object`. Duplicates are removed, and at most ``limit`` are kept.
  ///
  /// Each field of a missing object reports the same error for that object.
  static func joining(_ errors: [any JSONDecodingError], in object: JSON) -> any JSONDecodingError {
    var parts: [any JSONDecodingError] = []
    var seen: Set<String> = []
    for error in errors.lazy.flatMap(\.all) where seen.insert(error.description).inserted {
      parts.append(error)
      if parts.count == limit { break }
    }
    return parts.count == 1 ? parts[0] : JSONDecodingErrors(parts, in: object)
  }
}

extension JSONDecodingError {
  /// The errors that this one contains: those of ``JSONDecodingErrors``, otherwise only the error itself.
  public var all: [any JSONDecodingError] { (self as? JSONDecodingErrors)?.errors ?? [self] }
}
