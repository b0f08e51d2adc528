extension JSON {
  /// A place in a JSON document as RFC 6901 writes it: `/people/0/name`.
  ///
  /// Two pointers are equal when their tokens have the same Unicode scalars.
  public struct Pointer: Sendable {
    /// The keys and indices on the way from the root, unescaped; none for the root.
    public let tokens: [String]

    /// The place that `tokens` lead to; without any the root.
    public init(tokens: some Sequence<String> = []) {
      self.tokens = Array(tokens)
    }

    /// The place that `text` spells: nothing, or tokens each of which follows a slash; `~1` stands for a slash in a token
    /// and `~0` for a tilde.
    ///
    /// - Throws: ``SyntaxError``.
    public init(_ text: String) throws(SyntaxError) {
      guard !text.isEmpty else {
        self.init()
        return
      }
      // By bytes: as characters, a slash and a combining mark behind it would be one that is no slash.
      let bytes = Array(text.utf8)
      guard bytes.first == 0x2F else { throw SyntaxError(code: .noSlash, offset: 0) }
      var tokens: [String] = []
      var token: [UInt8] = []
      var offset = 1
      while offset < bytes.count {
        switch bytes[offset] {
        case 0x2F:
          tokens.append(String(decoding: token, as: UTF8.self))
          token.removeAll(keepingCapacity: true)
        case 0x7E:
          offset += 1
          switch offset < bytes.count ? bytes[offset] : 0 {
          case 0x30: token.append(0x7E)
          case 0x31: token.append(0x2F)
          default: throw SyntaxError(code: .invalidEscape, offset: offset - 1)
          }
        case let byte: token.append(byte)
        }
        offset += 1
      }
      tokens.append(String(decoding: token, as: UTF8.self))
      self.init(tokens: tokens)
    }

    init(_ steps: [Step]) {
      self.init(
        tokens: steps.map { step in
          switch step {
          case .key(let key): key
          case .index(let index): String(index)
          }
        })
    }

    /// The place of the member or element `token` of the value at this place.
    public func appending(_ token: String) -> Pointer { Pointer(tokens: tokens + [token]) }
  }
}

extension JSON.Pointer: CustomStringConvertible {
  /// The pointer's text, which ``init(_:)`` reads.
  public var description: String {
    var bytes: [UInt8] = []
    for token in tokens {
      bytes.append(0x2F)
      for byte in token.utf8 {
        switch byte {
        case 0x7E: bytes += [0x7E, 0x30]
        case 0x2F: bytes += [0x7E, 0x31]
        default: bytes.append(byte)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSON.Pointer: Hashable {
  /// Whether both have the same tokens, compared by Unicode scalars.
  public static func == (left: Self, right: Self) -> Bool {
    left.tokens.elementsEqual(right.tokens) { $0.utf8.elementsEqual($1.utf8) }
  }

  /// Feeds the tokens' scalars.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tokens.count)
    for token in tokens { hasher.combine(ScalarKey(token)) }
  }
}

extension JSON.Pointer {
  /// Why a text is no pointer, and where.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
      /// The text is not empty and does not begin with a slash.
      case noSlash
      /// A tilde before something other than 0 and 1.
      case invalidEscape
    }

    /// What is wrong.
    public let code: Code
    /// Bytes of UTF-8 before the place.
    public let offset: Int

    /// What and where.
    public var description: String {
      switch code {
      case .noSlash: "a JSON pointer begins with '/'"
      case .invalidEscape: "'~' is followed by neither 0 nor 1 in a JSON pointer (byte \(offset))"
      }
    }
  }
}

extension JSON {
  /// The value at `pointer`, read from this value as the root; `nil` when there is none.
  ///
  /// In an array a token is an index without leading zeros; `-`, which names the place behind the last element, leads to
  /// no value. Of members that share a key the first is meant.
  ///
  /// - Complexity: O(*n*), *n* the members of the containers on the way.
  /// - Source: RFC 6901 §4.
  public subscript(pointer: Pointer) -> JSON? { value(at: pointer) }

  /// The value at `pointer`; `nil` when there is none: ``subscript(_:)-(JSON.Pointer)`` by name.
  public func value(at pointer: Pointer) -> JSON? { value(at: pointer.tokens[...]) }

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
  /// The array index that `token` spells; `nil` when it is none. Source: RFC 6901 §4.
  static func index(_ token: String) -> Int? {
    let utf8 = token.utf8
    guard utf8.allSatisfy({ $0 &- 0x30 <= 9 }), utf8.first != 0x30 || utf8.count == 1 else { return nil }
    return Int(token)
  }
}
