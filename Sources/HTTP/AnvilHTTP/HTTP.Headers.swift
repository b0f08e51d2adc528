internal import AnvilBase

extension HTTP {
  /// Header fields in the order in which they were received or will be sent, including duplicates.
  ///
  ///     var headers: HTTP.Headers = [.accept: .applicationJSON]
  ///     headers.add(.cookie, "a=1")
  ///     headers[.userAgent] = "Reader/1.0"
  ///
  /// Two lists of fields are equal if each name has the same values in the same order. The order of different names is ignored.
  ///
  /// Source: RFC 9110 §5.
  public struct Headers: Sendable {
    /// A single field line.
    public struct Field: Hashable, Sendable {
      /// The field's name.
      public var key: HeaderKey
      /// The field's value.
      public var value: HeaderValue

      /// Creates the line `key: value`.
      public init(_ key: HeaderKey, _ value: HeaderValue) {
        self.key = key
        self.value = value
      }
    }

    private var fields: [Field]
    /// Whether the fields were checked and have not changed since; see ``noteValidity()``.
    var areKnownValid = false

    /// Creates an empty list of fields.
    public init() {
      fields = []
    }

    /// Creates a list of the given fields, in their order.
    public init(_ fields: some Sequence<Field>) {
      self.fields = Array(fields)
    }

    /// Appends a line, even if there already is one with that name.
    public mutating func add(_ key: HeaderKey, _ value: HeaderValue) {
      areKnownValid = false
      fields.append(Field(key, value))
    }

    /// Removes every line named `key`.
    package mutating func remove(_ key: HeaderKey) {
      fields.removeAll { $0.key == key }
    }

    /// Returns the values of all lines named `key`, in order; empty if no line has that name.
    public func values(for key: HeaderKey) -> [HeaderValue] {
      Array(fields.lazy.filter { $0.key == key }.map(\.value))
    }

    /// Returns whether there is a line named `key`.
    public func contains(_ key: HeaderKey) -> Bool {
      fields.contains { $0.key == key }
    }

    /// The value of the field named `key`; `nil` if there is no such field.
    ///
    /// The values of several lines are joined with `, ` into one value (RFC 9110 §5.3). Those of `Set-Cookie` cannot be joined, so the
    /// first is returned. Setting a value replaces all lines with one, at the position of the first or at the end. Setting `nil` removes
    /// all lines.
    public subscript(_ key: HeaderKey) -> HeaderValue? {
      get {
        guard let first = firstLine(named: key) else { return nil }
        guard !first.isOnly, key != .setCookie else { return first.value }
        return HeaderValue(rawValue: values(for: key).map(\.rawValue).joined(separator: ", "))
      }
      set {
        guard let newValue else { return remove(key) }
        guard let first = fields.firstIndex(where: { $0.key == key }) else { return add(key, newValue) }
        areKnownValid = false
        fields[first] = Field(key, newValue)
        fields[(first + 1)...].removeAll { $0.key == key }
      }
    }

    func firstLine(named key: HeaderKey) -> (value: HeaderValue, isOnly: Bool)? {
      guard let first = fields.firstIndex(where: { $0.key == key }) else { return nil }
      return (fields[first].value, !fields[(first + 1)...].contains { $0.key == key })
    }

    /// Returns these fields merged with `other`. The lines of `other` replace all lines with the same names.
    public func merging(_ other: Headers) -> Headers {
      if isEmpty { return other }
      if other.isEmpty { return self }
      let replaced = Set(other.lazy.map(\.key))
      return Headers(filter { !replaced.contains($0.key) } + other)
    }
  }
}

extension HTTP.Headers: RandomAccessCollection {
  /// The position of the first line.
  public var startIndex: Int { fields.startIndex }
  /// The position after the last line.
  public var endIndex: Int { fields.endIndex }
  /// The line at `position`.
  public subscript(position: Int) -> Field { fields[position] }
}

extension HTTP.Headers: ExpressibleByDictionaryLiteral {
  /// Creates the lines of the literal, in order and with duplicates.
  public init(dictionaryLiteral elements: (HTTP.HeaderKey, HTTP.HeaderValue)...) {
    self.init(elements.map { Field($0.0, $0.1) })
  }
}

extension HTTP.Headers: Hashable {
  /// Returns whether both have the same values for each name, in the same order.
  public static func == (lhs: HTTP.Headers, rhs: HTTP.Headers) -> Bool {
    guard lhs.count == rhs.count else { return false }
    return lhs.fields == rhs.fields || lhs.valuesByKey == rhs.valuesByKey
  }

  /// Hashes the values, grouped by name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(valuesByKey)
  }

  private var valuesByKey: [HTTP.HeaderKey: [HTTP.HeaderValue]] {
    @inline(never) get {
      Dictionary(grouping: fields, by: \.key).mapValues { $0.map(\.value) }
    }
  }
}

extension HTTP.Headers: CustomStringConvertible, CustomReflectable {
  /// The names, with every value replaced by `<redacted>`; safe to log.
  public var description: String {
    fields.map { "\($0.key): <redacted>".printable }.joined(separator: "\n")
  }

  /// The fields without redaction, as `name: value` on separate lines.
  public var detailedDescription: String {
    fields.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }

  /// A mirror of the fields as redacted by ``HTTP/Redaction``, so that `dump` reveals no more than a log.
  public var customMirror: Mirror {
    Mirror(
      self, children: fields.map { (label: $0.key.rawValue.printable, value: HTTP.Redaction().shown($0).printable) },
      displayStyle: .struct)
  }
}

extension HTTP.Headers.Field: CustomStringConvertible, CustomReflectable {
  /// The field as redacted by ``HTTP/Redaction``; safe to log.
  public var description: String { "\(key): \(HTTP.Redaction().shown(self))".printable }
  /// A mirror without children, so that `dump` does not reveal the value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTP.Headers {
  /// In lower case and in the order in which they were applied, without `identity`. Source: RFC 9110 §8.4.
  package var contentCodings: [String] {
    elements(of: .contentEncoding).map { $0.lowercased() }.filter { $0 != "identity" }
  }

  /// The value of `Content-Length`. Source: RFC 9110 §8.6, RFC 9112 §6.3.
  package enum ContentLength: Hashable, Sendable {
    case none
    /// A number of bytes. If the field has several values, they are equal.
    case bytes(Int)
    /// Different values, sorted as text.
    case contradictory([String])
    /// A value that is not a length: it has other characters than digits, or is larger than the maximum integer.
    case malformed(String)
  }

  package var contentLength: ContentLength {
    guard let line = firstLine(named: .contentLength) else { return .none }
    // The common case, one line with one number, needs no set and no list.
    let text = line.value.rawValue
    if line.isOnly, text.allBytes(satisfy: { $0.isDigit }), let length = Int(text) {
      return .bytes(length)
    }
    let values = Set(elements(of: .contentLength))
    guard let value = values.first else { return .malformed("") }
    guard values.count == 1 else { return .contradictory(values.sorted()) }
    guard value.utf8.allSatisfy({ $0.isDigit }), let length = Int(value) else {
      return .malformed(value)
    }
    return .bytes(length)
  }

  /// Fields that apply to a single connection and are neither forwarded nor stored. Source: RFC 9110 §7.6.1; RFC 9111 §3.1.
  package static let hopByHop: Set<HTTP.HeaderKey> = [
    .connection, .keepAlive, .te, .transferEncoding, .upgrade, .trailer, "Proxy-Connection", "Proxy-Authenticate",
    "Proxy-Authentication-Info", .proxyAuthorization,
  ]

  /// The fields without ``hopByHop`` and without the fields listed in `Connection`.
  package var endToEnd: HTTP.Headers {
    let removed = Self.hopByHop.union(elements(of: .connection).map(HTTP.HeaderKey.init(rawValue:)))
    return HTTP.Headers(filter { !removed.contains($0.key) })
  }

  /// The fields with the number of requests that a rate limit still allows.
  package static let rateLimitRemainders: [HTTP.HeaderKey] = [
    "RateLimit-Remaining", "X-RateLimit-Remaining", "X-Rate-Limit-Remaining",
  ]

  /// The fields with the end of a rate limit's window: as a number of seconds or as a time.
  package static let rateLimitResets: [HTTP.HeaderKey] = [
    "RateLimit-Reset", "X-RateLimit-Reset", "X-Rate-Limit-Reset",
  ]

  /// All fields that describe a rate limit. Source: the RateLimit header fields draft, and the fields that servers send instead.
  package static let rateLimitFields = Set(rateLimitRemainders + rateLimitResets).union([
    "RateLimit", "RateLimit-Policy", "RateLimit-Limit", "X-RateLimit-Limit", "X-Rate-Limit-Limit",
    "X-RateLimit-Retry-After",
  ])

  /// The elements of all its lines in order; see ``FieldScanner/elements(in:quoting:)``.
  package func elements(of key: HTTP.HeaderKey, quoting: FieldScanner.Quoting = .quotedStrings) -> [String] {
    values(for: key).flatMap { FieldScanner.elements(in: $0.rawValue, quoting: quoting) }
  }

  /// Returns whether the list field `key` contains `token`, which must be in lower case. The case of the field's value is ignored.
  package func hasToken(_ token: String, in key: HTTP.HeaderKey) -> Bool {
    elements(of: key).contains { $0.lowercased() == token }
  }

  /// Whether the fields determine the end of an HTTP/1 body. Otherwise it ends with the connection. Source: RFC 9112 §6.3.
  package var delimitBody: Bool { contains(.contentLength) || contains(.transferEncoding) }

  /// A description of contradictory or malformed framing fields; `nil` if the fields are consistent. Source: RFC 9112 §6.3.
  package var framingConflict: String? {
    switch contentLength {
    case .none: nil
    case .contradictory(let lengths):
      "Content-Length has the values \(lengths.joined(separator: " and ").loggable)"
    case _ where contains(.transferEncoding): "both Content-Length and Transfer-Encoding are present"
    case .bytes: nil
    case .malformed(let value): "Content-Length is not a valid length: \(value.loggable)"
    }
  }
}
