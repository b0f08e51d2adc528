internal import AnvilBase

/// A URI template with variables, such as `/users/{id}/repos{?page,sort}`. Source: RFC 6570, all four levels.
///
///     let template = try URITemplate("/users/{id}/repos{?page,topics*}")
///     let path = try template.expanded(["id": "ada/lovelace", "page": 2, "topics": ["math", "engines"]])
///     // /users/ada%2Flovelace/repos?page=2&topics=math&topics=engines
///
/// A value cannot change the structure of the URI, except in `{+name}` and `{#name}`, which keep reserved characters such as `/`.
package struct URITemplate: Sendable {
  let parts: [Part]

  enum Part: Sendable {
    /// Percent-encoded text that is the same in every expansion.
    case literal(String)
    case expression(Operator, [Variable])
  }

  struct Variable: Sendable {
    var name: String
    var modifier = Modifier.none

    enum Modifier: Sendable {
      case none
      /// `:n`: the first `n` characters.
      case prefix(Int)
      /// `*`: each element or pair is expanded separately.
      case explode
    }
  }

  package init(_ text: String) throws(SyntaxError) {
    var parser = Parser(text)
    parts = try parser.parts()
  }

  /// The names of the variables, in the order of their first occurrence.
  package var variableNames: [String] {
    var names: [String] = []
    for case .expression(_, let variables) in parts {
      for variable in variables where !names.contains(variable.name) { names.append(variable.name) }
    }
    return names
  }
}

extension URITemplate {
  /// The value of a variable. An empty list is treated like a missing value.
  package enum Value: Sendable {
    case string(String)
    case list([String])
    case pairs([(name: String, value: String)])
  }

  /// The reason why a text is not a valid template.
  package struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String
    /// The number of UTF-8 bytes before the error.
    package let offset: Int

    /// The error and its position: `invalid URI template at byte 7: an expression without a closing brace`.
    package var description: String { "invalid URI template at byte \(offset): \(reason)" }
  }

  /// An expansion error: a prefix modifier was applied to a variable with several values. Source: RFC 6570 §2.4.1.
  package struct PrefixError: Error, Hashable, Sendable, CustomStringConvertible {
    package let variable: String

    package var description: String {
      "the variable \(variable) has several values, to which a prefix modifier cannot be applied"
    }
  }
}

/// Expansion of templates. Source: RFC 6570 §3.
extension URITemplate {
  /// Returns the URI reference with each variable replaced by its value in `variables`. Variables without a value are left out.
  package func expanded(_ variables: [String: Value]) throws(PrefixError) -> String {
    var uri = ""
    for part in parts {
      switch part {
      case .literal(let text): uri += text
      case .expression(let kind, let names):
        var expansions: [String] = []
        for variable in names {
          guard let value = variables[variable.name] else { continue }
          if let expansion = try kind.expansion(of: variable, value) { expansions.append(expansion) }
        }
        if !expansions.isEmpty { uri += kind.first + expansions.joined(separator: kind.separator) }
      }
    }
    return uri
  }

  /// The operator of an expression: the character after its opening brace. Source: RFC 6570 §2.2, appendix A.
  enum Operator: UInt8, Sendable {
    case simple = 0
    case reserved = 0x2B
    case fragment = 0x23
    case label = 0x2E
    case path = 0x2F
    case parameter = 0x3B
    case query = 0x3F
    case continuation = 0x26

    /// The text before the first value.
    var first: String { self == .simple || self == .reserved ? "" : String(Unicode.Scalar(rawValue)) }

    var separator: String {
      switch self {
      case .simple, .reserved, .fragment: ","
      case .query, .continuation: "&"
      case .label, .path, .parameter: first
      }
    }

    private var isNamed: Bool { self == .parameter || self == .query || self == .continuation }
    /// The text after the name of a variable whose value is empty.
    private var emptyAssignment: String { self == .parameter ? "" : "=" }

    private func encode(_ text: String) -> String {
      PercentEncoding.encode(text, keeping: self == .reserved || self == .fragment ? .reserved : .unreserved)
    }

    private func assignment(_ name: String, _ value: String) -> String {
      value.isEmpty ? name + emptyAssignment : "\(name)=\(value)"
    }

    /// `nil` for an empty list. Throws ``PrefixError`` for a prefix modifier on a variable with several values.
    func expansion(of variable: Variable, _ value: Value) throws(PrefixError) -> String? {
      let name = variable.name
      let values: [String]
      switch (value, variable.modifier) {
      case (.string(let text), .prefix(let length)):
        // Characters are code points: RFC 6570 §2.4.1.
        values = [encode(String(String.UnicodeScalarView(text.unicodeScalars.prefix(length))))]
      case (.string(let text), _): values = [encode(text)]
      case (.list(let list), _) where list.isEmpty: return nil
      case (.pairs(let pairs), _) where pairs.isEmpty: return nil
      case (_, .prefix): throw PrefixError(variable: name)
      case (.list(let list), .none): values = [list.map(encode).joined(separator: ",")]
      case (.list(let list), .explode): values = list.map(encode)
      case (.pairs(let pairs), .none):
        values = [pairs.flatMap { [encode($0.name), encode($0.value)] }.joined(separator: ",")]
      case (.pairs(let pairs), .explode):
        return pairs.map {
          let (name, value) = (encode($0.name), encode($0.value))
          return isNamed ? assignment(name, value) : "\(name)=\(value)"
        }.joined(separator: separator)
      }
      return values.map { isNamed ? assignment(name, $0) : $0 }.joined(separator: separator)
    }
  }
}

/// Parsing of templates. Source: RFC 6570 §2.
extension URITemplate {
  private struct Parser {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func failure(_ reason: String) -> SyntaxError { SyntaxError(reason: reason, offset: at) }

    mutating func parts() throws(SyntaxError) -> [Part] {
      var parts: [Part] = []
      while let byte {
        if byte == .openBrace {
          parts.append(try expression())
        } else {
          parts.append(.literal(try literal()))
        }
      }
      return parts
    }

    private mutating func literal() throws(SyntaxError) -> String {
      let start = at
      while let byte, byte != .openBrace {
        guard byte != .closeBrace else { throw failure("a closing brace without an opening brace") }
        at += 1
      }
      return PercentEncoding.encode(bytes[start..<at], keeping: .reserved)
    }

    private mutating func expression() throws(SyntaxError) -> Part {
      let start = at
      at += 1
      var kind = Operator.simple
      if let byte, byte != 0, let other = Operator(rawValue: byte) {
        kind = other
        at += 1
      }
      var variables: [Variable] = []
      while true {
        variables.append(try variable())
        switch byte {
        case .comma: at += 1
        case .closeBrace:
          at += 1
          return .expression(kind, variables)
        case nil:
          at = start
          throw failure("an expression without a closing brace")
        default: throw failure("a character that is not allowed in a variable name")
        }
      }
    }

    private mutating func variable() throws(SyntaxError) -> Variable {
      var variable = Variable(name: try name())
      if byte == .asterisk {
        at += 1
        variable.modifier = .explode
      } else if byte == .colon {
        at += 1
        variable.modifier = .prefix(try length())
      }
      return variable
    }

    private mutating func name() throws(SyntaxError) -> String {
      let start = at
      while true {
        guard skipNameCharacter() else {
          throw failure(at == start ? "a variable name is missing" : "an incomplete variable name")
        }
        if byte == .period {
          at += 1
        } else if !isAtNameCharacter {
          return String(decoding: bytes[start..<at], as: UTF8.self)
        }
      }
    }

    private var isAtNameCharacter: Bool {
      var copy = self
      return copy.skipNameCharacter()
    }

    /// A letter, a digit, an underscore or a percent-encoded byte. Returns whether there was one.
    private mutating func skipNameCharacter() -> Bool {
      guard let byte else { return false }
      if byte.isDigit || byte.isLetter || byte == .underscore {
        at += 1
        return true
      }
      guard PercentEncoding.isTriplet(bytes[at...]) else { return false }
      at += 3
      return true
    }

    /// Reads the length of a prefix: a number from 1 to 9999 without leading zeros.
    private mutating func length() throws(SyntaxError) -> Int {
      let start = at
      var length = 0
      while let byte, byte.isDigit, at - start < 4 {
        length = length * 10 + Int(byte - .digit0)
        at += 1
      }
      guard at > start, bytes[start] != .digit0 else {
        at = start
        throw failure("a prefix length that is not a number from 1 to 9999")
      }
      return length
    }
  }
}

/// A type whose values can be used as a template variable: a value that can be sent in a path or a query, an array or a dictionary of such
/// values, or an optional.
///
///     try gateway.request(template: "users/{id}/repos{?page,topics*}", ["id": user.id, "page": page, "topics": topics])
///
/// A type of your own conforms to ``HTTP/PathValue``.
public protocol URITemplateVariable {
  /// The value of the variable; `nil` if it is undefined and left out.
  ///
  /// An error is the reason why the value has no text. Creating a request with it fails.
  var uriTemplateValue: URITemplateValue? { get throws }
}

/// The value of a template variable: a text, a list of texts, or name–value pairs.
public struct URITemplateValue: Sendable {
  package let value: URITemplate.Value
}

extension Optional: URITemplateVariable where Wrapped: URITemplateVariable {
  /// The value of the wrapped variable; `nil` for `nil`.
  public var uriTemplateValue: URITemplateValue? { get throws { try flatMap { try $0.uriTemplateValue } } }
}

extension Array: URITemplateVariable where Element: HTTP.QueryValue {
  /// The texts of the elements.
  public var uriTemplateValue: URITemplateValue? { get throws { .init(value: .list(try queryItems)) } }
}

extension Dictionary: URITemplateVariable where Key == String, Value: HTTP.QueryValue {
  /// The pairs, sorted by name.
  public var uriTemplateValue: URITemplateValue? {
    get throws {
      let items = try sorted { $0.key < $1.key }.flatMap { name, value in try value.queryItems.map { (name, $0) } }
      return .init(value: .pairs(items))
    }
  }
}
