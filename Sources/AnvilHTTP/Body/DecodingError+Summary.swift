internal import AnvilJSON

/// What a failed decoding can say in a log.
extension DecodingError {
  /// Kind and path in one line, without any value of the document; for what is no JSON, why and where.
  package var summary: String {
    let text =
      switch self {
      case .typeMismatch(let type, let context): "expected \(type) at \(context.path)"
      case .valueNotFound(let type, let context): "expected \(type) at \(context.path), found null"
      case .keyNotFound(let key, let context): "missing key \(key.stringValue.debugDescription) at \(context.path)"
      case .dataCorrupted(let context):
        // It shows one byte at most.
        (context.underlyingError as? JSON.SyntaxError).map { "not JSON: \($0)" } ?? "invalid data at \(context.path)"
      @unknown default: "unknown error"
      }
    return text.printable
  }
}

extension EncodingError {
  /// Where, in one line, without the value.
  var summary: String {
    switch self {
    case .invalidValue(_, let context): "invalid value at \(context.codingPath.text)".printable
    @unknown default: "unknown error"
    }
  }
}

extension DecodingError.Context {
  fileprivate var path: String { codingPath.text }
}

extension [any CodingKey] {
  /// The path as `$.users[3].name`.
  fileprivate var text: String {
    reduce(into: "$") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }
  }
}
