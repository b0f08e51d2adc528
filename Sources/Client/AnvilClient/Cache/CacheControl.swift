internal import AnvilHTTP

/// The directives of a message's `Cache-Control`, from all its lines.
///
/// Names are case-insensitive, arguments may be quoted, and unknown directives have no effect. Source: RFC 9111 §5.2.
struct CacheControl: Hashable, Sendable {
  /// The value of a directive whose argument is a number of seconds.
  enum Seconds: Hashable {
    /// The directive is absent.
    case absent
    /// The directive has no argument, an argument that is not a number, or several contradictory arguments.
    case invalid
    case value(Double)

    var value: Double? {
      if case .value(let seconds) = self { seconds } else { nil }
    }
  }

  /// The maximum value; larger numbers are reduced to it. Source: RFC 9111 §1.2.2.
  static let longest = 2_147_483_648.0

  private let directives: [FieldScanner.Directive]

  init(_ headers: HTTP.Headers) {
    directives = headers.values(for: .cacheControl).flatMap { value in
      FieldScanner.directives(in: value.rawValue).map { directive in
        // The syntax has no blanks around the equals sign. The directive is present, but its argument is invalid. RFC 9111 §4.2.1
        // encourages caches to treat responses with invalid freshness information as stale.
        guard directive.argument != nil, directive.hasBlanks else { return directive }
        var invalid = directive
        invalid.argument = ""
        return invalid
      }
    }
  }

  var isEmpty: Bool { directives.isEmpty }

  /// Returns whether the directive is present, with or without an argument.
  func contains(_ name: String) -> Bool {
    directives.contains { $0.name == name }
  }

  /// Returns whether the directive is present without an argument.
  func containsBare(_ name: String) -> Bool {
    directives.contains { $0.name == name && $0.argument == nil }
  }

  /// Returns the value of the directive. Repetitions of the same number are allowed.
  func seconds(_ name: String) -> Seconds {
    let arguments = directives.filter { $0.name == name }.map(\.argument)
    guard let first = arguments.first else { return .absent }
    guard let seconds = first.flatMap(Self.seconds(in:)),
      arguments.allSatisfy({ $0.flatMap(Self.seconds(in:)) == seconds })
    else { return .invalid }
    return .value(seconds)
  }

  /// Returns the number in `text`, if it consists only of digits.
  static func seconds(in text: some StringProtocol) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text).map { min(Double($0), longest) } ?? longest
  }
}
