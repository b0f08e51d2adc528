/// A URI template with variables, such as `/users/{id}/repos{?page,sort}`. Source: RFC 6570, all four levels.
///
///     let template = try URITemplate("/users/{id}/repos{?page,topics*}")
///     let path = try template.expanded(["id": "ada/lovelace", "page": 2, "topics": ["math", "engines"]])
///     // /users/ada%2Flovelace/repos?page=2&topics=math&topics=engines
///
/// A value cannot change the structure of the URI, except in `{+name}` and `{#name}`, which keep reserved characters such as `/`.
public struct URITemplate: Hashable, Sendable {
  /// The template as it was written.
  public let text: String
  let parts: [Part]

  /// A part of a template.
  enum Part: Hashable, Sendable {
    /// Percent-encoded text that is the same in every expansion.
    case literal(String)
    /// Variables in braces.
    case expression(Operator, [Variable])
  }

  /// A variable in an expression.
  struct Variable: Hashable, Sendable {
    var name: String
    var modifier = Modifier.none

    enum Modifier: Hashable, Sendable {
      case none
      /// `:n`: the first `n` characters.
      case prefix(Int)
      /// `*`: each element or pair is expanded separately.
      case explode
    }
  }

  /// Creates a template by parsing `text`.
  ///
  /// - Throws: ``InvalidTemplate``, with the position of the error.
  public init(_ text: String) throws(InvalidTemplate) {
    self.text = text
    parts = try Self.parts(of: text)
  }

  /// The names of the variables, in the order of their first occurrence.
  public var variableNames: [String] {
    var names: [String] = []
    for case .expression(_, let variables) in parts {
      for variable in variables where !names.contains(variable.name) { names.append(variable.name) }
    }
    return names
  }
}

extension URITemplate: CustomStringConvertible {
  /// The template as it was written.
  public var description: String { text }
}

extension URITemplate {
  /// The value of a variable.
  public enum Value: Hashable, Sendable {
    /// A single value.
    case string(String)
    /// A list of values, in order. An empty list is treated like a missing value.
    case list([String])
    /// A list of name-value pairs, in order. An empty list is treated like a missing value.
    case pairs([Pair])

    /// A name with its value.
    public struct Pair: Hashable, Sendable {
      /// The name.
      public var name: String
      /// The value.
      public var value: String

      /// Creates a pair of `name` and `value`.
      public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }
  }

  /// The reason why a text is not a valid template.
  public struct InvalidTemplate: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the error.
    public let reason: String
    /// The number of UTF-8 bytes before the error.
    public let offset: Int

    /// The error and its position: `invalid URI template at byte 7: an expression without a closing brace`.
    public var description: String { "invalid URI template at byte \(offset): \(reason)" }
  }

  /// An expansion error: a prefix modifier was applied to a variable with several values. Source: RFC 6570 §2.4.1.
  public struct InvalidPrefix: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the variable.
    public let variable: String

    /// The error as text: `the variable keys has several values, to which a prefix modifier cannot be applied`.
    public var description: String {
      "the variable \(variable) has several values, to which a prefix modifier cannot be applied"
    }
  }
}

extension URITemplate.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a single value.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension URITemplate.Value: ExpressibleByIntegerLiteral {
  /// Creates a single value, the decimal digits of the number.
  public init(integerLiteral value: Int) { self = .string(String(value)) }
}

extension URITemplate.Value: ExpressibleByArrayLiteral {
  /// Creates a list of values.
  public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension URITemplate.Value: ExpressibleByDictionaryLiteral {
  /// Creates a list of name-value pairs, in the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) { self = .pairs(elements.map { .init($0, $1) }) }
}
