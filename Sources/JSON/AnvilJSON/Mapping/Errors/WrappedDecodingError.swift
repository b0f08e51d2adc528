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
    case .typeMismatch(let type, let context): "expected \(type): \(context.debugDescription)"
    case .valueNotFound(let type, let context): "expected \(type): \(context.debugDescription)"
    case .keyNotFound(let key, _): "missing key \(key.stringValue)"
    case .dataCorrupted(let context): context.debugDescription
    @unknown default: "\(self)"
    }
  }
}
