/// An error thrown for a value that cannot be written as JSON, with its location.
public struct JSONEncodingError: Error, CustomStringConvertible {
  /// The reason why a value cannot be written.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The number is infinite or NaN, which JSON cannot represent.
    ///
    /// What to do: write `null` or leave the member out.
    case nonFiniteNumber
    /// The date is before the year 0 or after 9999, which RFC 3339 cannot represent.
    ///
    /// What to do: correct the date.
    case dateOutOfRange
    /// A second value was written in a place that already has one.
    ///
    /// What to do: write each path once.
    case severalValues
    /// The path has a key in an array, an index in an object, or an index that is not the next one.
    ///
    /// What to do: write the elements of an array in their order.
    case misplacedStep
    /// The path leads into a container that is closed, because something else has been written after it.
    ///
    /// What to do: write the members of a container one after the other.
    case closedContainer
    /// Containers are nested deeper than the limit of 512.
    ///
    /// What to do: look for a cycle of objects.
    case tooDeep
    /// The document is too large: its strings and numbers take more than 4 GiB, or it has more values than a 32-bit number can count.
    ///
    /// What to do: split the document, or stream it as lines.
    case tooLarge
    /// A Foundation object, such as a date, has no JSON form.
    ///
    /// What to do: convert the object to a string or number first.
    case unsupportedType
    /// A key of a Foundation dictionary is not a string.
    ///
    /// What to do: convert the keys to strings.
    case keyIsNoString
    /// The type's own `encode(into:)` or `encode(to:)` threw another error.
    ///
    /// What to do: read `underlyingError`.
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
