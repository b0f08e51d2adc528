public struct HTTPMethod: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

public struct HTTPHeaders: Hashable, Sendable, RandomAccessCollection {
  private struct Field: Hashable, Sendable {
    let name: String
    let value: String
  }

  private var fields: [Field] = []

  public init(_ fields: [(String, String)] = []) { self.fields = fields.map { Field(name: $0.0, value: $0.1) } }

  public mutating func add(name: String, value: String) { fields.append(Field(name: name, value: value)) }

  public var startIndex: Int { fields.startIndex }
  public var endIndex: Int { fields.endIndex }
  public subscript(position: Int) -> (name: String, value: String) { (fields[position].name, fields[position].value) }
}

public struct HTTPResponseStatus: Hashable, Sendable {
  public let code: UInt

  public init(statusCode: Int) { code = UInt(statusCode) }
}

public struct HTTPVersion: Hashable, Sendable {
  public static let http1_1 = HTTPVersion()
}

public enum HTTPParserError: Error {
  case invalidEOFState
  case unknown
}
