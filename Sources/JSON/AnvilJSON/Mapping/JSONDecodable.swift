/// A type that can be decoded from a ``JSON`` value.
///
///     struct Repository: JSONDecodable {
///       let id: Int
///       let owner: String
///
///       static func decode(_ json: JSON) throws -> Repository {
///         try Repository(id: json => "id", owner: json => "owner" => "login")
///       }
///     }
///
/// `Decodable` types, and `RawRepresentable` types with a decodable raw value, only have to declare the conformance.
public protocol JSONDecodable {
  /// Returns the value of this type that `json` represents.
  ///
  /// - Throws: Any error. `=>` adds path, object and root to a ``JSONDecodingError``, and wraps other errors in a
  ///   ``WrappedDecodingError`` with the same properties.
  static func decode(_ json: JSON) throws -> Self
}

/// The implementation of the operators `=>` and `=>?`: looks up a path and decodes the value that it leads to.
extension JSON {
  @inlinable
  func decodeMember<T: JSONDecodable>(_ key: LiteralKey) throws -> T {
    let found = document.value(ofKey: key, at: index)
    if let value = found.word.scalar(as: T.self) { return value }
    guard found.index >= 0 else { throw failure(at: key) }
    return try decode(found, at: key)
  }

  /// Returns the value of the member with the key `key`; `nil` if it is missing or `null`.
  @inlinable
  func decodeMemberIfPresent<T: JSONDecodable>(_ key: LiteralKey) throws -> T? {
    let found = document.value(ofKey: key, at: index)
    if let value = found.word.scalar(as: T.self) { return value }
    if found.word.isNull {
      // A key that is missing in an object is not an error here.
      if found.index < 0, !document.isObject(at: index) { throw failure(at: key) }
      return nil
    }
    do {
      return try decode(found, at: key) as T
    } catch {
      // What an open value lacks may arrive.
      if document.isOpen(at: found.index) { return nil }
      throw error
    }
  }

  @inlinable @inline(__always)
  func decode<T: JSONDecodable>(_ found: Document.Found, at key: LiteralKey) throws -> T {
    do {
      let value = try T.decode(JSON(document, at: found.index))
      // Decoding a string does not change the hint.
      if T.self != String.self { document.restore(found.hint) }
      return value
    } catch {
      throw locating(error, at: key, index: found.index)
    }
  }
}

extension TapeWord {
  @inlinable @inline(__always) var isNull: Bool { bits == 0 }

  /// Returns the value for the most common types that can be decoded from the tape word alone; `nil` for everything else.
  ///
  /// This is decided at compile time, because the type is known in the caller. It saves two calls for each such member, as measured with
  /// citm_catalog.json.
  @inlinable @inline(__always)
  func scalar<T>(as type: T.Type) -> T? {
    if type == Int.self, bits & 0xF == 3, let number = Int(exactly: Int64(bitPattern: bits) &>> 4) {
      return value(number, ifOfType: type)
    }
    if type == Bool.self, bits &- 1 <= 1 { return value(bits == 2, ifOfType: type) }
    return nil
  }
}

extension JSON {
  @usableFromInline @inline(never)
  func locating(_ error: any Error, at key: LiteralKey, index: Int) -> any JSONDecodingError {
    locating(error, at: key.path, index: index)
  }

  @usableFromInline @inline(never)
  func failure(at key: LiteralKey) -> any JSONDecodingError { failure(at: key.path) }
}

extension Document {
  @usableFromInline
  func isObject(at index: Int) -> Bool { tape[index].is(.object) }
}
