/// A value of which none of several types could be made.
public struct NoMatchingTypeError: JSONDecodingError {
  /// One type that was tried.
  public struct Attempt: Sendable {
    /// The type's name.
    public let type: String
    /// Why it did not fit; the path of a ``JSONDecodingError`` begins at ``NoMatchingTypeError/object``.
    public let error: any Error
  }

  /// The types in the order in which they were tried.
  public let attempts: [Attempt]
  /// The way from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed.
  public var object: JSON?
  /// The value that ``path`` starts from.
  public var rootObject: JSON?

  init(_ attempts: [Attempt], in object: JSON) {
    self.attempts = attempts
    path = JSON.Path()
    self.object = object
    rootObject = object
  }

  /// Where, and why for each type:
  /// `NoMatchingTypeError at object.pet: not Dog (MissingKeyError at object: bark in {}), not Cat (…) in {}`.
  public var description: String {
    guard !attempts.isEmpty else { return description(of: "no type to try") }
    return description(of: attempts.map { "not \($0.type) (\($0.error))" }.joined(separator: ", "))
  }
}
