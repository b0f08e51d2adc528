/// The result of decoding a text: the value, or the kind of error and its path.
enum DecodingOutcome<Value: Equatable>: Equatable, CustomStringConvertible {
  case value(Value)
  case error(kind: String, path: [String])

  init(_ decode: () throws -> Value) {
    do {
      self = .value(try decode())
    } catch let error as DecodingError {
      switch error {
      case .typeMismatch(let type, let context): self = .error(kind: "mismatch \(type)", path: context.path)
      case .valueNotFound(let type, let context): self = .error(kind: "null \(type)", path: context.path)
      case .keyNotFound(let key, let context): self = .error(kind: "missing \(key.stringValue)", path: context.path)
      case .dataCorrupted(let context): self = .error(kind: "corrupted", path: context.path)
      @unknown default: self = .error(kind: "unknown", path: [])
      }
    } catch {
      self = .error(kind: "\(error)", path: [])
    }
  }

  /// Values that contain NaN do not equal others. The bytes of their descriptions are compared, sorted, because two equal dictionaries may
  /// have their members in different orders.
  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.value(let left), .value(let right)):
      left == right || ("\(left)".contains("nan") && "\(left)".utf8.sorted() == "\(right)".utf8.sorted())
    case (.error(let kind, let path), .error(let otherKind, let otherPath)): kind == otherKind && path == otherPath
    default: false
    }
  }

  var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .error(let kind, let path): "\(kind) at \(path.joined(separator: "."))"
    }
  }

  /// The kind of the error and its path; `nil` for a value.
  var error: (kind: String, path: [String])? {
    guard case .error(let kind, let path) = self else { return nil }
    return (kind, path)
  }
}

extension DecodingError.Context {
  fileprivate var path: [String] { codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } }
}
