/// The value at `path` in `json` as a `T`: ``JSON/value(at:)-(JSON.Path)`` by name.
///
///     login = try json => "owner" => "login"
///
/// `null` is a `T` only where `T` is optional: then it is `nil`. A missing key is an error either way.
///
/// - Throws: ``JSONDecodingError``: ``MissingKeyError`` when a step leads nowhere, ``TypeMismatchError`` when a value on the
///   way or at the end is something else, and what `T` throws, with path, object and root added.
/// - Complexity: O(*n*), *n* the members of the containers on the way; nothing is allocated for one literal key.
@inlinable @inline(__always)
public func => <T: JSONDecodable>(json: JSON, path: JSON.Path) throws -> T {
  // Here, in the caller, the path is known to be a literal, and its key becomes constants.
  if case .literal(let key) = path.storage, key.hasPointerRepresentation {
    return try json.decodeMember(LiteralKey(key))
  }
  return try json.decodeValue(at: path)
}

/// The value at `path` in `json` as a `T`; `nil` when a step that may be missing is, and for `null`:
/// ``JSON/value(ifPresentAt:)`` by name.
///
///     let city: String? = try json =>? "owner" =>? "address" => "city"
///
/// - Throws: ``JSONDecodingError``: ``TypeMismatchError`` when a value on the way or at the end is something else,
///   ``MissingKeyError`` when a step that must be there leads nowhere, and what `T` throws, with path, object and root added.
@inlinable @inline(__always)
public func =>? <T: JSONDecodable>(json: JSON, path: JSON.OptionalPath) throws -> T? {
  if case .optional(let path) = path.storage, case .literal(let key) = path.storage, key.hasPointerRepresentation {
    return try json.decodeMemberIfPresent(LiteralKey(key))
  }
  return try json.decodeValue(ifPresentAt: path)
}

/// The value at `path` in `json`, of which what stands directly behind the operator must be there; `nil` when a later step
/// is missing, and for `null`.
///
///     let city: String? = try json => "owner" =>? "address"
///
/// The same as `json =>? JSON.OptionalPath(requiring: "owner") =>? "address"`. Disfavoured, so that chains of `=>` alone
/// have one reading.
///
/// - Throws: as the other operators.
@_disfavoredOverload
public func => <T: JSONDecodable>(json: JSON, path: JSON.OptionalPath) throws -> T? {
  try json =>? path.requiringFirst
}

extension JSON {
  /// The value at `path` as a `T`: `self => path` by name.
  ///
  /// - Throws: ``JSONDecodingError``.
  @inlinable
  public func value<T: JSONDecodable>(at path: Path) throws -> T { try self => path }

  /// The value at `path` as a `T`; `nil` when a step that may be missing is, and for `null`: `self =>? path` by name.
  ///
  /// - Throws: ``JSONDecodingError``.
  @inlinable
  public func value<T: JSONDecodable>(ifPresentAt path: OptionalPath) throws -> T? { try self =>? path }
}
