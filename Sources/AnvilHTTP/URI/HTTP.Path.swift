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
  /// The text of an interpolated value is its description, or that of its raw value where it has no description itself. Other values, and
  /// optionals, have no text for a path: interpolating one is a compiler warning.
  ///
  /// Executing a request fails with `TransportError.Code.invalidRequest` for a path
  /// - with a segment `.` or `..`, since they mean another place however they are written;
  /// - with a segment that is nothing but interpolated values that are empty, since `users/` is not a user;
  /// - with a value that has no text.
  ///
  /// Source: RFC 3986 §3.3, §6.2.2.3.
  public struct Path: Hashable, Sendable {
    /// The path as it stands in a URL, after the base URL's own.
    public private(set) var percentEncoded: String
    /// Why no request can be made of the path; `nil` when one can.
    package private(set) var problem: String?

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
    fileprivate private(set) var problem: String?
    /// Whether the last segment has no text so far.
    private var isAtSegmentStart = true
    /// Whether the last segment is nothing but empty values so far.
    private var isEmptyValue = false
    private var isBeforeQuery = true

    /// Creates an interpolation without text.
    public init(literalCapacity: Int, interpolationCount: Int) {
      percentEncoded.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// Appends path syntax.
    public mutating func appendLiteral(_ literal: String) {
      append(syntax: HTTP.Path(syntax: literal).percentEncoded)
    }

    /// Appends the text of `value` as a part of one segment.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      append(value: value.description)
    }

    /// Appends the text of the raw value of `value` as a part of one segment.
    public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
    where Value.RawValue: CustomStringConvertible {
      append(value: value.rawValue.description)
    }

    /// Appends the text of `value` as a part of one segment.
    public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(_ value: Value)
    where Value.RawValue: CustomStringConvertible {
      append(value: value.description)
    }

    /// Appends `path` with its segments.
    public mutating func appendInterpolation(_ path: HTTP.Path) {
      append(syntax: path.percentEncoded)
      problem = problem ?? path.problem
    }

    /// Makes the path one that no request can be made of.
    @available(
      *, deprecated,
      message: "an optional has no text for a path, and executing the request fails: unwrap it first"
    )
    public mutating func appendInterpolation<Value>(_ value: Value?) {
      refuse("an optional was interpolated into the path: unwrap it first")
    }

    /// Makes the path one that no request can be made of.
    @available(
      *, deprecated,
      message: "this value has no text for a path, and executing the request fails: interpolate a string or a number"
    )
    public mutating func appendInterpolation<Value>(_ value: Value) {
      refuse("a value of type \(Value.self), which has no text, was interpolated into the path")
    }

    private mutating func append(value text: String) {
      percentEncoded += PercentEncoding.encode(text)
      if !text.isEmpty {
        isAtSegmentStart = false
        isEmptyValue = false
      } else if isAtSegmentStart, isBeforeQuery {
        isEmptyValue = true
      }
    }

    private mutating func append(syntax text: String) {
      percentEncoded += text
      guard isBeforeQuery, let first = text.utf8.first, let last = text.utf8.last else { return }
      if Self.separators.contains(first) { endSegment() }
      isEmptyValue = false
      isAtSegmentStart = last == UInt8(ascii: "/")
      isBeforeQuery = !text.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    }

    private static var separators: [UInt8] { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")] }

    fileprivate mutating func endSegment() {
      if isEmptyValue { refuse("an empty value was interpolated as a segment of the path") }
    }

    private mutating func refuse(_ reason: String) {
      problem = problem ?? reason
    }
  }

  /// Creates a path of the literal's path syntax.
  public init(stringLiteral text: String) {
    self.init(syntax: text)
  }

  /// Creates a path of the literal's syntax and its values.
  public init(stringInterpolation: StringInterpolation) {
    var interpolation = stringInterpolation
    interpolation.endSegment()
    percentEncoded = interpolation.percentEncoded
    problem = interpolation.problem
  }
}

extension HTTP.Path: CustomStringConvertible {
  /// The path as it stands in a URL.
  public var description: String { percentEncoded }
}
