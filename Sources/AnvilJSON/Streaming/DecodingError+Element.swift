extension DecodingError {
  /// Returns the error with the path it has in an array, where the value that it was thrown for is the element `index`.
  ///
  /// - Parameter locate: returns an error in the element's text with its location in the array's; `nil` for an error in another text.
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
