internal import AnvilHTTP

/// The directives of a message's `Cache-Control`, of all its lines.
///
/// Names are compared without case, arguments may be quoted, and directives that nobody knows have no effect. Source:
/// RFC 9111 §5.2.
struct CacheControl: Hashable, Sendable {
  /// What a directive says whose argument is a number of seconds.
  enum Seconds: Hashable {
    /// It is not there.
    case absent
    /// It is there with no argument, with one that is no number, or with several that contradict each other.
    case invalid
    case value(Double)

    var value: Double? {
      if case .value(let seconds) = self { seconds } else { nil }
    }
  }

  /// What larger numbers are taken for. Source: RFC 9111 §1.2.2.
  static let longest = 2_147_483_648.0

  private let directives: [FieldScanner.Directive]

  init(_ headers: HTTP.Headers) {
    directives = headers.values(for: .cacheControl).flatMap { FieldScanner.directives(in: $0.rawValue) }
  }

  var isEmpty: Bool { directives.isEmpty }

  /// Whether the directive is there, with an argument or without.
  func contains(_ name: String) -> Bool {
    directives.contains { $0.name == name }
  }

  /// Whether the directive is there without an argument.
  func containsBare(_ name: String) -> Bool {
    directives.contains { $0.name == name && $0.argument == nil }
  }

  /// What the directive says. The same number twice is that number.
  func seconds(_ name: String) -> Seconds {
    let arguments = directives.filter { $0.name == name }.map(\.argument)
    guard let first = arguments.first else { return .absent }
    guard let seconds = first.flatMap(Self.seconds(in:)),
      arguments.allSatisfy({ $0.flatMap(Self.seconds(in:)) == seconds })
    else { return .invalid }
    return .value(seconds)
  }

  /// The number that `text` is, if it is digits and nothing else.
  static func seconds(in text: some StringProtocol) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text).map { min(Double($0), longest) } ?? longest
  }
}
