internal import AnvilBase

/// Expansion of templates. Source: RFC 6570 §3.
extension URITemplate {
  /// Returns the URI reference with each variable replaced by its value in `variables`. Variables without a value are left out.
  ///
  /// - Throws: ``InvalidPrefix`` for a prefix modifier on a variable with several values.
  public func expanded(_ variables: [String: Value]) throws(InvalidPrefix) -> String {
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
  enum Operator: UInt8, Hashable, Sendable {
    case simple = 0
    case reserved = 0x2B
    case fragment = 0x23
    case label = 0x2E
    case path = 0x2F
    case parameter = 0x3B
    case query = 0x3F
    case continuation = 0x26

    /// The text before the first value.
    var first: String {
      switch self {
      case .simple, .reserved: ""
      case .fragment: "#"
      case .label: "."
      case .path: "/"
      case .parameter: ";"
      case .query: "?"
      case .continuation: "&"
      }
    }

    /// The text between values.
    var separator: String {
      switch self {
      case .simple, .reserved, .fragment: ","
      case .label: "."
      case .path: "/"
      case .parameter: ";"
      case .query, .continuation: "&"
      }
    }

    /// A Boolean value that indicates whether each value is preceded by its name.
    private var isNamed: Bool { self == .parameter || self == .query || self == .continuation }
    /// The text after the name of a variable whose value is empty.
    private var emptyAssignment: String { self == .parameter ? "" : "=" }

    private func encode(_ text: String) -> String {
      PercentEncoding.encode(text, keeping: self == .reserved || self == .fragment ? .reserved : .unreserved)
    }

    private func assignment(_ name: String, _ value: String) -> String {
      value.isEmpty ? name + emptyAssignment : "\(name)=\(value)"
    }

    /// Returns the expansion of `variable`; `nil` if its value is an empty list.
    ///
    /// - Throws: ``InvalidPrefix`` for a prefix modifier on a variable with several values.
    func expansion(of variable: Variable, _ value: Value) throws(InvalidPrefix) -> String? {
      let name = variable.name
      let values: [String]
      switch (value, variable.modifier) {
      case (.string(let text), .prefix(let length)):
        // Characters are code points: RFC 6570 §2.4.1.
        values = [encode(String(String.UnicodeScalarView(text.unicodeScalars.prefix(length))))]
      case (.string(let text), _): values = [encode(text)]
      case (.list(let list), _) where list.isEmpty: return nil
      case (.pairs(let pairs), _) where pairs.isEmpty: return nil
      case (_, .prefix): throw InvalidPrefix(variable: name)
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
