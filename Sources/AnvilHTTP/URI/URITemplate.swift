/// A URI with places for variables, `/users/{id}/repos{?page,sort}`. Source: RFC 6570, all four levels.
///
///     let template = try URITemplate("/users/{id}/repos{?page,topics*}")
///     let path = try template.expanded(["id": "ada/lovelace", "page": 2, "topics": ["math", "engines"]])
///     // /users/ada%2Flovelace/repos?page=2&topics=math&topics=engines
///
/// Whatever a value holds, it cannot leave its place: only `{+name}` and `{#name}` let reserved characters such as `/` through.
public struct URITemplate: Hashable, Sendable {
  /// The template as it was written.
  public let text: String
  let parts: [Part]

  /// What a template consists of.
  enum Part: Hashable, Sendable {
    /// Text that is the same in every expansion, percent-encoded.
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
      /// `:n`, so many characters from the beginning.
      case prefix(Int)
      /// `*`, each element or pair by itself.
      case explode
    }
  }

  /// A template that `text` spells.
  ///
  /// - Throws: ``InvalidTemplate``, with the place.
  public init(_ text: String) throws(InvalidTemplate) {
    self.text = text
    parts = try Self.parts(of: text)
  }

  /// The names of the variables, in the order in which they first stand in the template.
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
  /// What a variable stands for.
  public enum Value: Hashable, Sendable {
    /// One value.
    case string(String)
    /// Several in their order. None are the same as no value.
    case list([String])
    /// Names with a value each, in their order. None are the same as no value.
    case pairs([Pair])

    /// A name and its value.
    public struct Pair: Hashable, Sendable {
      /// The name.
      public var name: String
      /// Its value.
      public var value: String

      /// `name` with `value`.
      public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }
  }

  /// Why a text is no template.
  public struct InvalidTemplate: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let reason: String
    /// How many bytes of the text's UTF-8 stand before the place.
    public let offset: Int

    /// `invalid URI template at byte 7: an expression that is not closed`.
    public var description: String { "invalid URI template at byte \(offset): \(reason)" }
  }

  /// Why a template cannot be expanded: a prefix of several values. Source: RFC 6570 §2.4.1.
  public struct InvalidPrefix: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the variable of which a prefix is asked and that has several values.
    public let variable: String

    /// `the variable keys has several values, of which there is no prefix`.
    public var description: String { "the variable \(variable) has several values, of which there is no prefix" }
  }
}

extension URITemplate.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// One value.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension URITemplate.Value: ExpressibleByIntegerLiteral {
  /// One value, the number's digits.
  public init(integerLiteral value: Int) { self = .string(String(value)) }
}

extension URITemplate.Value: ExpressibleByArrayLiteral {
  /// Several values.
  public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension URITemplate.Value: ExpressibleByDictionaryLiteral {
  /// Names with values, in the order in which they are written.
  public init(dictionaryLiteral elements: (String, String)...) { self = .pairs(elements.map { .init($0, $1) }) }
}
