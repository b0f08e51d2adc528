internal import AnvilBase
internal import AnvilJSON

/// Descriptions of decoding errors for logs.
extension DecodingError {
  /// The kind of the error and its coding path in one line, without values of the document. For invalid JSON, the reason and its position.
  package var summary: String {
    let text =
      switch self {
      case .typeMismatch(let type, let context): "expected \(type) at \(context.path)"
      case .valueNotFound(let type, let context): "expected \(type) at \(context.path), found null"
      case .keyNotFound(let key, let context): "missing key \(key.stringValue.debugDescription) at \(context.path)"
      case .dataCorrupted(let context):
        // The error shows at most one byte of the document.
        (context.underlyingError as? JSON.SyntaxError).map { "not JSON: \($0)" } ?? "invalid data at \(context.path)"
      @unknown default: "unknown error"
      }
    return text.printable
  }
}

extension EncodingError {
  /// The coding path in one line, without the value.
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
  /// The coding path in the form `$.users[3].name`.
  fileprivate var text: String {
    reduce(into: "$") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }
  }
}
