extension DecodingError {
  /// The same error without the beginning `path` of its coding path; itself where that begins otherwise.
  ///
  /// A type may have made an error with any path: what is not the decoder's path to the value stays as it is.
  func dropping(_ path: [any CodingKey]) -> DecodingError {
    switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, context.dropping(path))
    case .valueNotFound(let type, let context): .valueNotFound(type, context.dropping(path))
    case .keyNotFound(let key, let context): .keyNotFound(key, context.dropping(path))
    case .dataCorrupted(let context): .dataCorrupted(context.dropping(path))
    @unknown default: self
    }
  }
}

extension DecodingError.Context {
  fileprivate func dropping(_ path: [any CodingKey]) -> DecodingError.Context {
    let isBeginning = codingPath.starts(with: path) {
      $0.stringValue.utf8.elementsEqual($1.stringValue.utf8) && $0.intValue == $1.intValue
    }
    guard isBeginning else { return self }
    return DecodingError.Context(
      codingPath: Array(codingPath.dropFirst(path.count)), debugDescription: debugDescription,
      underlyingError: underlyingError)
  }
}
