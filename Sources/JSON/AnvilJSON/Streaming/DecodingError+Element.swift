extension DecodingError {
  /// Returns the error with its path in an array. The error was thrown for the value of the element at `index`.
  ///
  /// - Parameter locate: Converts the location of an error in the element's text to the location in the array's text.
  ///   Returns `nil` for an error in another text.
  package func inElement(_ index: Int, locating locate: (JSON.SyntaxError) -> JSON.SyntaxError?) -> DecodingError {
    switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, context.inElement(index, locating: locate))
    case .valueNotFound(let type, let context): .valueNotFound(type, context.inElement(index, locating: locate))
    case .keyNotFound(let key, let context): .keyNotFound(key, context.inElement(index, locating: locate))
    case .dataCorrupted(let context): .dataCorrupted(context.inElement(index, locating: locate))
    @unknown default: self
    }
  }
}

extension DecodingError.Context {
  @inline(never)
  fileprivate func inElement(_ index: Int, locating locate: (JSON.SyntaxError) -> JSON.SyntaxError?) -> Self {
    let path: [any CodingKey] = [DecodingKey(intValue: index)] + codingPath
    guard let located = (underlyingError as? JSON.SyntaxError).flatMap(locate) else {
      return Self(codingPath: path, debugDescription: debugDescription, underlyingError: underlyingError)
    }
    return Self(codingPath: path, debugDescription: "The text is not JSON: \(located)", underlyingError: located)
  }
}
