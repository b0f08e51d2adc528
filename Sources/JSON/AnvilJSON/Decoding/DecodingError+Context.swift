extension DecodingError {
  /// The context of the error. For an unknown case, it is a context with an empty path and a description of the error.
  package var context: Context {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: Context(codingPath: [], debugDescription: "\(self)")
    }
  }
}
