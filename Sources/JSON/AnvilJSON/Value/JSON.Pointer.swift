internal import AnvilBase

extension JSON {
  /// A JSON pointer as in RFC 6901, such as `/people/0/name`: the location of a value in a document.
  ///
  /// Two pointers are equal if their tokens have the same Unicode scalars.
  public struct Pointer: Sendable {
    /// The unescaped keys and indices that lead from the root to the value; empty for the root.
    public let tokens: [String]

    /// Creates a pointer from unescaped tokens. Without tokens it refers to the root.
    public init(tokens: some Sequence<String> = []) {
      self.tokens = Array(tokens)
    }

    /// Creates a pointer from its text: the empty string, or tokens that each follow a slash. In a token a slash is written `~1`
    /// and a tilde `~0`.
    ///
    /// - Throws: ``SyntaxError`` if `text` is not a JSON pointer.
    public init(_ text: String) throws(SyntaxError) {
      guard !text.isEmpty else {
        self.init()
        return
      }
      // Compares bytes: as a `Character`, a slash followed by a combining mark would not equal a slash.
      let bytes = Array(text.utf8)
      guard bytes.first == .slash else { throw SyntaxError(code: .noSlash, offset: 0) }
      var tokens: [String] = []
      var token: [UInt8] = []
      var offset = 1
      while offset < bytes.count {
        switch bytes[offset] {
        case .slash:
          tokens.append(String(decoding: token, as: UTF8.self))
          token.removeAll(keepingCapacity: true)
        case .tilde:
          offset += 1
          switch offset < bytes.count ? bytes[offset] : 0 {
          case .digit0: token.append(.tilde)
          case UInt8(ascii: "1"): token.append(.slash)
          default: throw SyntaxError(code: .invalidEscape, offset: offset - 1)
          }
        case let byte: token.append(byte)
        }
        offset += 1
      }
      tokens.append(String(decoding: token, as: UTF8.self))
      self.init(tokens: tokens)
    }

    package init(_ steps: [Step]) {
      self.init(
        tokens: steps.map { step in
          switch step {
          case .key(let key): key
          case .index(let index): String(index)
          }
        })
    }
  }
}

extension JSON.Pointer: CustomStringConvertible {
  /// The text of the pointer, which ``init(_:)`` parses.
  public var description: String {
    var bytes: [UInt8] = []
    for token in tokens {
      bytes.append(.slash)
      for byte in token.utf8 {
        switch byte {
        case .tilde: bytes += [.tilde, UInt8(ascii: "0")]
        case .slash: bytes += [.tilde, UInt8(ascii: "1")]
        default: bytes.append(byte)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSON.Pointer: Hashable {
  /// Returns whether both pointers have the same tokens, compared by Unicode scalars.
  public static func == (left: Self, right: Self) -> Bool {
    left.tokens.elementsEqual(right.tokens) { $0.hasSameBytes(as: $1) }
  }

  /// Hashes the Unicode scalars of the tokens.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tokens.count)
    for token in tokens { hasher.combine(ScalarKey(token)) }
  }
}

extension JSON.Pointer {
  /// An error thrown for text that is not a JSON pointer.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason why a text is not a JSON pointer.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
      /// The text is not empty and does not begin with a slash.
      ///
      /// What to do: write `/name`, not `name`.
      case noSlash
      /// A tilde is followed by something other than 0 or 1.
      ///
      /// What to do: write `~0` for a tilde and `~1` for a slash.
      case invalidEscape
    }

    /// The reason why the text is not a JSON pointer.
    public let code: Code
    /// The number of bytes of UTF-8 before the error.
    public let offset: Int

    /// The reason and, for an invalid escape, its offset.
    public var description: String {
      switch code {
      case .noSlash: "a JSON pointer must begin with '/'"
      case .invalidEscape: "'~' is followed by neither 0 nor 1 in a JSON pointer (byte \(offset))"
      }
    }
  }
}

extension JSON {
  /// Accesses the value at `pointer`, with this value as the root; `nil` if there is no such value.
  ///
  /// In an array a token is an index without leading zeros. The token `-`, which refers to the position after the last element,
  /// leads to no value. If several members share a key, the first is used.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members of the containers that the pointer passes.
  /// - Source: RFC 6901 §4.
  public subscript(pointer: Pointer) -> JSON? { value(at: pointer) }

  /// Returns the value at `pointer`; `nil` if there is no such value. The same as ``subscript(_:)-(JSON.Pointer)``.
  package func value(at pointer: Pointer) -> JSON? { value(at: pointer.tokens[...]) }

  func value(at tokens: ArraySlice<String>) -> JSON? {
    var value = self
    for token in tokens {
      let next = value.word.is(.array) ? Pointer.index(token).flatMap { value[$0] } : value[token]
      guard let next else { return nil }
      value = next
    }
    return value
  }
}

extension JSON.Pointer {
  /// Returns the array index that `token` is the text of; `nil` if it is not an index. Source: RFC 6901 §4.
  static func index(_ token: String) -> Int? {
    let utf8 = token.utf8
    guard utf8.allSatisfy({ $0.isDigit }), utf8.first != .digit0 || utf8.count == 1 else { return nil }
    return Int(token)
  }
}
