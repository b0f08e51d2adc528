public struct HTTPField: Hashable, Sendable {
  public struct Name: Hashable, Sendable {
    public let rawName: String
    public let canonicalName: String

    /// `nil` for a name that is not a token.
    public init?(_ name: String) {
      let marks = "!#$%&'*+-.^_`|~"
      guard !name.isEmpty,
        name.unicodeScalars.allSatisfy({
          $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || marks.unicodeScalars.contains($0))
        })
      else { return nil }
      rawName = name
      canonicalName = name.lowercased()
    }

    public static func == (lhs: Name, rhs: Name) -> Bool { lhs.canonicalName == rhs.canonicalName }
    public func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }
  }

  public var name: Name
  /// Control characters are replaced, and blanks around the value are dropped.
  public var value: String

  public init(name: Name, value: String) {
    self.name = name
    let blanks: Set<UInt8> = [0x20, 0x09]
    var bytes = value.utf8.map { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F ? UInt8(0x20) : $0 }[...]
    while let first = bytes.first, blanks.contains(first) { bytes.removeFirst() }
    while let last = bytes.last, blanks.contains(last) { bytes.removeLast() }
    self.value = String(decoding: bytes, as: UTF8.self)
  }
}

public struct HTTPFields: Hashable, Sendable, RandomAccessCollection, RangeReplaceableCollection {
  private var fields: [HTTPField] = []

  public init() {}

  public var startIndex: Int { fields.startIndex }
  public var endIndex: Int { fields.endIndex }
  public subscript(position: Int) -> HTTPField { fields[position] }
  public subscript(values name: HTTPField.Name) -> [String] { fields.filter { $0.name == name }.map(\.value) }
  public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<HTTPField>) {
    fields.replaceSubrange(range, with: elements)
  }
  public mutating func reserveCapacity(_ capacity: Int) { fields.reserveCapacity(capacity) }
}

public struct HTTPRequest: Hashable, Sendable {
  public struct Method: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    /// `nil` for a method that is not a token.
    public init?(rawValue: String) {
      guard HTTPField.Name(rawValue) != nil else { return nil }
      self.rawValue = rawValue
    }
  }

  public var method: Method
  public var scheme: String?
  public var authority: String?
  public var path: String?
  /// The value of `:protocol`.
  public var extendedConnectProtocol: String?
  public var headerFields: HTTPFields

  public init(
    method: Method, scheme: String?, authority: String?, path: String?, headerFields: HTTPFields = HTTPFields()
  ) {
    self.method = method
    self.scheme = scheme
    self.authority = authority
    self.path = path
    self.headerFields = headerFields
  }
}

public struct HTTPResponse: Hashable, Sendable {
  public struct Status: Hashable, Sendable, ExpressibleByIntegerLiteral {
    public let code: Int
    public let reasonPhrase: String

    public init(code: Int, reasonPhrase: String = "") {
      precondition((0...999).contains(code), "invalid status code")
      self.code = code
      self.reasonPhrase = reasonPhrase
    }

    public init(integerLiteral value: Int) { self.init(code: value) }

    public static func == (lhs: Status, rhs: Status) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  }

  public var status: Status
  public var headerFields: HTTPFields

  public init(status: Status, headerFields: HTTPFields = HTTPFields()) {
    self.status = status
    self.headerFields = headerFields
  }
}
