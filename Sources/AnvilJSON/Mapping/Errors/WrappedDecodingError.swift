/// An error that knows nothing of JSON, thrown while a value was made, with the place.
///
/// A `DecodingError` of a `Decodable` type is one: its coding path continues ``path``, as far as it leads through the value.
public struct WrappedDecodingError: JSONDecodingError {
  /// What was thrown.
  public let underlyingError: any Error
  /// The way from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed.
  public var object: JSON?
  /// The value that ``path`` starts from.
  public var rootObject: JSON?

  init(_ error: any Error, at path: JSON.Path, object: JSON, rootObject: JSON) {
    underlyingError = error
    var steps = path.steps
    var object = object
    for key in (error as? DecodingError)?.context.codingPath ?? [] {
      // A key may have been made from another by a strategy: what does not lead on is left to the description.
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

  /// Where, and what was thrown there.
  public var description: String {
    guard let error = underlyingError as? DecodingError else { return description(of: "\(underlyingError)") }
    return description(of: error.problem)
  }
}

extension DecodingError {
  /// What is wrong, without the path, which stands before it.
  fileprivate var problem: String {
    switch self {
    case .typeMismatch(let type, let context): "expected \(type): \(context.debugDescription)"
    case .valueNotFound(let type, let context): "expected \(type): \(context.debugDescription)"
    case .keyNotFound(let key, _): "missing key \(key.stringValue)"
    case .dataCorrupted(let context): context.debugDescription
    @unknown default: "\(self)"
    }
  }
}
