extension DecodingError {
  /// The error in the array of which the value that it was thrown for is the element `index`.
  ///
  /// - Parameter locate: the place in the array's text of what is wrong in the element's.
  func inElement(_ index: Int, locating locate: (JSON.SyntaxError) -> JSON.SyntaxError) -> DecodingError {
    func moved(_ context: Context) -> Context {
      let path: [any CodingKey] = [DecodingKey(intValue: index)] + context.codingPath
      guard let syntaxError = context.underlyingError as? JSON.SyntaxError else {
        return Context(
          codingPath: path, debugDescription: context.debugDescription, underlyingError: context.underlyingError)
      }
      let located = locate(syntaxError)
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
