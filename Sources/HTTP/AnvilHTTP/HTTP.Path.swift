internal import AnvilBase

extension HTTP {
  /// A path relative to a base URL, with or without a query. Literal text is path syntax; interpolated values are escaped.
  ///
  ///     let path: HTTP.Path = "users/\(id)/repos"       // three segments, whatever id holds
  ///
  /// A literal is path syntax: its slashes separate segments. Characters that are not allowed in a URL are sent as `%XX`, and `%XX` is
  /// kept. An interpolated value is the text of one segment or of one query value. All of its characters except letters, digits and
  /// `-._~` are sent as the `%XX` of their UTF-8 bytes, including slashes. Only an interpolated path is inserted unchanged.
  ///
  /// A `#` in a literal starts a fragment, which is never sent (RFC 9110 §7.1).
  ///
  /// The types of values that have one text in a path conform to ``HTTP/PathValue``: text, numbers, Boolean values, UUIDs and URLs. A value
  /// with a raw value of one of these types is sent as its raw value. Interpolating any other value, such as a date, an array or an optional,
  /// does not compile.
  ///
  /// Executing a request fails with `TransportError.Code.invalidRequest` for a path
  /// - with an interpolated value that has no text, such as infinity;
  /// - with a segment `.` or `..`, also if it is percent-encoded, because it would refer to a different resource;
  /// - with a segment that consists only of interpolated values that are empty, because `users/` is not a user.
  ///
  /// Source: RFC 3986 §3.3, §6.2.2.3.
  public struct Path: Hashable, Sendable {
    /// The path as it appears in a URL after the path of the base URL.
    public private(set) var percentEncoded: String
    /// The reason why the path cannot be used in a request; `nil` if it can.
    package private(set) var problem: String?

    /// Creates a path from `segments`. Each element becomes exactly one segment.
    package init(segments: [any PathValue]) {
      var texts: [String] = []
      for segment in segments {
        do { texts.append(PercentEncoding.encode(try segment.pathText)) } catch { problem = problem ?? "\(error)" }
      }
      percentEncoded = texts.joined(separator: "/")
    }

    /// Creates a path from `text` in path syntax, like a literal with this text.
    public init(syntax text: String) {
      percentEncoded = PercentEncoding.encode(text, keeping: .reserved)
    }
  }
}

extension HTTP.Path: ExpressibleByStringInterpolation {
  /// The literal text and values of an interpolated path.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var percentEncoded = ""
    fileprivate private(set) var problem: String?
    /// Whether the last segment has no text so far.
    private var isAtSegmentStart = true
    /// Whether the last segment consists only of empty interpolated values so far.
    private var isEmptyValue = false
    private var isBeforeQuery = true

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {
      percentEncoded.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// Appends path syntax.
    public mutating func appendLiteral(_ literal: String) {
      append(syntax: HTTP.Path(syntax: literal).percentEncoded)
    }

    /// Appends the text of `value` as a part of one segment.
    public mutating func appendInterpolation(_ value: some HTTP.PathValue) {
      append(value)
    }

    /// Appends the text of the raw value of `value` as a part of one segment.
    public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
    where Value.RawValue: HTTP.PathValue {
      append(value.rawValue)
    }

    /// Appends the text of `value` as a part of one segment.
    public mutating func appendInterpolation<Value: RawRepresentable & HTTP.PathValue>(_ value: Value)
    where Value.RawValue: HTTP.PathValue {
      append(value)
    }

    /// Appends `path` with its segments.
    public mutating func appendInterpolation(_ path: HTTP.Path) {
      append(syntax: path.percentEncoded)
      problem = problem ?? path.problem
    }

    /// Unavailable, because `nil` has no text in a path.
    @available(*, unavailable, message: "unwrap the value: nil has no text in a path")
    public mutating func appendInterpolation<Value>(_ value: Value?) { fatalError("unavailable") }

    /// Unavailable, because `value` has no text in a path.
    @available(*, unavailable, message: "a value of this type has no text in a path: use a string or a number")
    public mutating func appendInterpolation<Value>(_ value: Value) { fatalError("unavailable") }

    private mutating func append(_ value: some HTTP.PathValue) {
      do { append(value: try value.pathText) } catch { refuse("a value was interpolated in the path: \(error)") }
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
      isAtSegmentStart = last == .slash
      isBeforeQuery = !text.utf8.contains { $0 == .questionMark || $0 == .numberSign }
    }

    private static var separators: [UInt8] { [UInt8.slash, .questionMark, UInt8.numberSign] }

    fileprivate mutating func endSegment() {
      if isEmptyValue { refuse("an empty value was interpolated as a segment of the path") }
    }

    private mutating func refuse(_ reason: String) {
      problem = problem ?? reason
    }
  }

  /// Creates a path from a literal in path syntax.
  public init(stringLiteral text: String) {
    self.init(syntax: text)
  }

  /// Creates a path from the literal text and values of an interpolation.
  public init(stringInterpolation: StringInterpolation) {
    var interpolation = stringInterpolation
    interpolation.endSegment()
    percentEncoded = interpolation.percentEncoded
    problem = interpolation.problem
  }
}

extension HTTP.Path: CustomStringConvertible {
  /// The path as it appears in a URL.
  public var description: String { percentEncoded }
}
