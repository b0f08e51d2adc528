/// All the reasons why a value could not be made from JSON, where ``JSON/Fields`` or ``JSONDecodable/decodeAll(_:)``
/// have looked for more than the first.
///
/// One reason alone is thrown as it is; ``JSONDecodingError/all`` is the list for either.
public struct JSONDecodingErrors: JSONDecodingError {
  /// The most errors that are kept: 100. Arrays and dictionaries are not looked at any further then.
  public static var limit: Int { 100 }

  /// The way from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed: the one that all errors are within.
  public var object: JSON?
  /// The value that ``path``, and the path of each error, starts from.
  public var rootObject: JSON?
  /// The errors, with paths from the value that they are within.
  private let parts: [any JSONDecodingError]

  /// `errors`, at least one and no groups, whose paths start from `object`.
  init(_ errors: [any JSONDecodingError], in object: JSON) {
    parts = errors
    path = JSON.Path()
    self.object = object
    rootObject = object
  }

  /// The errors, in the order in which they were found, at most ``limit``. None of them is a group.
  public var errors: [any JSONDecodingError] {
    parts.map { part in
      var error = part
      error.path = path.appending(part.path)
      error.rootObject = rootObject
      return error
    }
  }

  /// How many there are, and below that each in a line:
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

  /// One error that has all of `errors`, whose paths start from `object`, each once, at most ``limit`` of them.
  ///
  /// An object that is not there is missed for each field in it.
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
  /// The errors that this one stands for: those of ``JSONDecodingErrors``, else itself.
  public var all: [any JSONDecodingError] { (self as? JSONDecodingErrors)?.errors ?? [self] }
}
