extension DecodingError {
  /// Returns the error with the path it has in an array, where the value that it was thrown for is the element `index`.
  ///
  /// - Parameter locate: returns an error in the element's text with its location in the array's; `nil` for an error in another text.
  package func inElement(_ index: Int, locating locate: (JSON.SyntaxError) -> JSON.SyntaxError?) -> DecodingError {
    func moved(_ context: Context) -> Context {
      let path: [any CodingKey] = [DecodingKey(intValue: index)] + context.codingPath
      guard let located = (context.underlyingError as? JSON.SyntaxError).flatMap(locate) else {
        return Context(
          codingPath: path, debugDescription: context.debugDescription, underlyingError: context.underlyingError)
      }
      return Context(
        codingPath: path, debugDescription: "The text is not JSON: \(located)", underlyingError: located)
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, moved(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, moved(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, moved(context))
    case .dataCorrupted(let context): .dataCorrupted(moved(context))
    @unknown default: self
    }
  }
}
