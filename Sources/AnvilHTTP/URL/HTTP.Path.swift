extension HTTP {
  /// A path relative to a base URL, with or without a query: path syntax where the program writes it, and text where a value is put in.
  ///
  ///     let path: HTTP.Path = "users/\(id)/repos"       // three segments, whatever id holds
  ///
  /// A literal is path syntax: its slashes separate segments. A character that cannot stand in a URL is sent as `%XX`, and `%XX`
  /// stays. An interpolated value is one segment's text, or one query value's: all but letters, digits and `-._~` is sent as
  /// `%XX` of its UTF-8 bytes, slashes among them. Only an interpolated path is put in as it is.
  ///
  /// A `#` in a literal begins a fragment, which is never sent (RFC 9110 §7.1).
  ///
  /// `.` and `..` cannot be segments, since they mean another place however they are written. Executing a request with one fails with
  /// `TransportError.Code.invalidRequest`.
  ///
  /// Source: RFC 3986 §3.3, §6.2.2.3.
  public struct Path: Hashable, Sendable {
    /// The path as it stands in a URL, after the base URL's own.
    public private(set) var percentEncoded: String

    /// Creates a path of `segments`, of which each is one segment whatever it holds.
    public init(segments: [any CustomStringConvertible]) {
      percentEncoded = segments.map { PercentEncoding.encode($0.description) }.joined(separator: "/")
    }

    /// Creates a path of `text` in path syntax, as a literal of it would be.
    public init(syntax text: String) {
      percentEncoded = PercentEncoding.encode(Array(text.utf8), keeping: .reserved)
    }
  }
}

extension HTTP.Path: ExpressibleByStringInterpolation {
  /// Literal text and values, as they are put together.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var percentEncoded = ""

    /// Creates an interpolation without text.
    public init(literalCapacity: Int, interpolationCount: Int) {
      percentEncoded.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// Appends path syntax.
    public mutating func appendLiteral(_ literal: String) {
      percentEncoded += HTTP.Path(syntax: literal).percentEncoded
    }

    /// Appends the text of `value` as a part of one segment.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      percentEncoded += PercentEncoding.encode(value.description)
    }

    /// Appends `path` with its segments.
    public mutating func appendInterpolation(_ path: HTTP.Path) {
      percentEncoded += path.percentEncoded
    }
  }

  /// Creates a path of the literal's path syntax.
  public init(stringLiteral text: String) {
    self.init(syntax: text)
  }

  /// Creates a path of the literal's syntax and its values.
  public init(stringInterpolation: StringInterpolation) {
    percentEncoded = stringInterpolation.percentEncoded
  }
}

extension HTTP.Path: CustomStringConvertible {
  /// The path as it stands in a URL.
  public var description: String { percentEncoded }
}
