/// Why a value could not be written as JSON, and where.
public struct JSONEncodingError: Error, CustomStringConvertible {
  /// What is wrong.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// An infinity or NaN, which JSON has no number for.
    case nonFiniteNumber
    /// A date before the year 0 or after 9999, which RFC 3339 has no form for.
    case dateOutOfRange
    /// A second value in a place that has one.
    case severalValues
    /// A key in an array, an index in an object, or one that is not the next.
    case misplacedStep
    /// A path into a container behind which something else has been written.
    case closedContainer
    /// Containers in containers beyond the limit: 512.
    case tooDeep
    /// More than a document holds: 4 GiB of strings and numbers, or as many values.
    case tooLarge
    /// An object of Foundation's that JSON has no form for, such as a date.
    case unsupportedType
    /// A key in a dictionary of Foundation's that is no string.
    case keyIsNoString
    /// What the type's own `encode(into:)`, or `encode(to:)`, threw.
    case other
  }

  /// What is wrong.
  public let code: Code
  /// The way from the value that was to be written to the place.
  public internal(set) var path: JSON.Path
  /// What was thrown there, if it was no ``JSONEncodingError``.
  public let underlyingError: (any Error)?
  /// What there is to add in words: the number, the type's own error.
  private let detail: String?

  package init(_ code: Code, at path: JSON.Path = JSON.Path(), detail: String? = nil) {
    self.code = code
    self.path = path
    self.detail = detail
    underlyingError = nil
  }

  /// `error`, with the path that an `EncodingError` has.
  init(wrapping error: any Error) {
    guard case EncodingError.invalidValue(_, let context) = error else {
      code = .other
      path = JSON.Path()
      detail = "\(error)"
      underlyingError = error
      return
    }
    code = .other
    path = JSON.Path(steps: context.codingPath.map(\.step))
    detail = context.debugDescription
    underlyingError = error
  }

  /// Where and why: `JSONEncodingError at object.people[1].score: a number that is not finite (inf)`.
  public var description: String {
    var place = "object"
    for step in path.steps { place.append(step) }
    let reason = [code.reason, detail.map { code == .other ? $0 : "(\($0))" }].compactMap(\.self)
    return "JSONEncodingError at \(place): \(reason.joined(separator: " "))"
  }
}

extension JSONEncodingError.Code {
  fileprivate var reason: String? {
    switch self {
    case .nonFiniteNumber: "a number that is not finite"
    case .dateOutOfRange: "a date that RFC 3339 has no form for"
    case .severalValues: "a second value in one place"
    case .misplacedStep: "a key in an array, or an index that is not the next"
    case .closedContainer: "a container behind which something else has been written"
    case .tooDeep: "more than 512 containers in each other"
    case .tooLarge: "more than a document holds"
    case .unsupportedType: "an object that JSON has no form for"
    case .keyIsNoString: "a key that is no string"
    case .other: nil
    }
  }
}

extension CodingKey {
  /// The step that the key stands for: coders call an index by its number.
  fileprivate var step: JSON.Step {
    guard let index = intValue, stringValue == "Index \(index)" else { return .key(stringValue) }
    return .index(index)
  }
}
