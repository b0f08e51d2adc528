import AnvilCodable

/// The result of a coder: the value, or the error with its kind, its path and its description.
enum Outcome<Value: Equatable>: Equatable, CustomStringConvertible {
  case value(Value)
  case failure(String)

  init(_ code: () throws -> Value) {
    do {
      self = .value(try code())
    } catch let error as DecodingError {
      self = .failure(Self.text(of: error))
    } catch EncodingError.invalidValue(_, let context) {
      self = .failure("invalid value \(Self.text(of: context.codingPath, context.debugDescription))")
    } catch {
      self = .failure("\(error)")
    }
  }

  var isFailure: Bool { if case .failure = self { true } else { false } }

  var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .failure(let text): text
    }
  }

  private static func text(of error: DecodingError) -> String {
    switch error {
    case .typeMismatch(let type, let context):
      "mismatch \(type) \(text(of: context.codingPath, context.debugDescription))"
    case .valueNotFound(let type, let context):
      "null \(type) \(text(of: context.codingPath, context.debugDescription))"
    case .keyNotFound(let key, let context):
      "missing \(key.stringValue) \(text(of: context.codingPath, context.debugDescription))"
    case .dataCorrupted(let context):
      "corrupted \(text(of: context.codingPath, context.debugDescription)) \(context.underlyingError.map { "\($0)" } ?? "")"
    @unknown default: "\(error)"
    }
  }

  private static func text(of path: [any CodingKey], _ reason: String) -> String {
    "at \(path.map { $0.intValue.map(String.init) ?? $0.stringValue }): \(reason)"
  }
}
