/// An error thrown for a value that cannot be written as JSON, with its location.
public struct JSONEncodingError: Error, CustomStringConvertible {
  /// The reason why a value cannot be written.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The number is infinite or NaN, which JSON cannot represent.
    case nonFiniteNumber
    /// The date is before the year 0 or after 9999, which RFC 3339 cannot represent.
    case dateOutOfRange
    /// A second value was written in a place that already has one.
    case severalValues
    /// The path has a key in an array, an index in an object, or an index that is not the next one.
    case misplacedStep
    /// The path leads into a container that is closed, because something else has been written after it.
    case closedContainer
    /// Containers are nested deeper than the limit of 512.
    case tooDeep
    /// The document is too large: its strings and numbers take more than 4 GiB, or it has more values than a 32-bit number can count.
    case tooLarge
    /// A Foundation object, such as a date, has no JSON form.
    case unsupportedType
    /// A key of a Foundation dictionary is not a string.
    case keyIsNoString
    /// The type's own `encode(into:)` or `encode(to:)` threw another error.
    case other
  }

  /// The reason why the value cannot be written.
  public let code: Code
  /// The path from the value to be written to the location of the error.
  public internal(set) var path: JSON.Path
  /// The error that the type threw, if ``code`` is ``Code/other``; otherwise `nil`.
  public let underlyingError: (any Error)?
  /// Additional details in words: the number, or the type's own error.
  private let detail: String?

  package init(_ code: Code, at path: JSON.Path = JSON.Path(), detail: String? = nil) {
    self.code = code
    self.path = path
    self.detail = detail
    underlyingError = nil
  }

  /// Creates an error from `error`, with the path of an `EncodingError` if it is one.
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

  /// The location and the reason: `JSONEncodingError at object.people[1].score: a number that is not finite (inf)`.
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
    case .dateOutOfRange: "a date that RFC 3339 cannot represent"
    case .severalValues: "a second value at the same location"
    case .misplacedStep: "a key in an array, or an index that is not the next one"
    case .closedContainer: "a container that is no longer the last value written"
    case .tooDeep: "more than 512 nested containers"
    case .tooLarge: "more values or text than a document can contain"
    case .unsupportedType: "an object that JSON cannot represent"
    case .keyIsNoString: "a key that is not a string"
    case .other: nil
    }
  }
}

extension CodingKey {
  /// The path step for the key. It is an index if the key is named `Index 3` or similar, as coders name the keys of array elements.
  fileprivate var step: JSON.Step {
    guard let index = intValue, stringValue == "Index \(index)" else { return .key(stringValue) }
    return .index(index)
  }
}
