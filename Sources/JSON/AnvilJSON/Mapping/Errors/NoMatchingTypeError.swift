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

  init(_ attempts: [Attempt], in object: JSON) {
    self.attempts = attempts
    path = JSON.Path()
    self.object = object
    rootObject = object
  }

  /// The location and the reason for each type:
  /// `NoMatchingTypeError at object.pet: not Dog (MissingKeyError at object: bark in {}), not Cat (…) in {}`.
  public var description: String {
    guard !attempts.isEmpty else { return description(of: "no types were given") }
    return description(of: attempts.map { "not \($0.type) (\($0.error))" }.joined(separator: ", "))
  }
}
