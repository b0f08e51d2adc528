/// Returns the value at `path` in `json` as a `T`. The same as ``JSON/value(at:)``.
///
///     login = try json => "owner" => "login"
///
/// `null` is accepted only if `T` is optional, and is then `nil`. A missing key is an error in either case.
///
/// - Throws: ``JSONDecodingError``, with path, object and root added: ``MissingKeyError`` if a step does not exist,
///   ``TypeMismatchError`` if a value on the path or at its end is of another kind, or the error of `T`.
/// - Complexity: O(*n*), where *n* is the number of members of the containers on the path. A single literal key needs no allocation.
@inlinable @inline(__always)
public func => <T: JSONDecodable>(json: JSON, path: JSON.Path) throws -> T {
  // Here, in the caller, the path is known to be a literal, so its key becomes constants.
  if case .literal(let key) = path.storage, key.hasPointerRepresentation {
    return try json.decodeMember(LiteralKey(key))
  }
  return try json.value(at: path, with: T.decode)
}

/// Returns the value at `path` in `json` as a `T`; `nil` if it is `null` or an optional step is missing. The same as
/// ``JSON/value(ifPresentAt:)``.
///
///     let city: String? = try json =>? "owner" =>? "address" => "city"
///
/// - Throws: ``JSONDecodingError``, with path, object and root added: ``TypeMismatchError`` if a value on the path or at its end is
///   of another kind, ``MissingKeyError`` if a required step does not exist, or the error of `T`.
@inlinable @inline(__always)
public func =>? <T: JSONDecodable>(json: JSON, path: JSON.OptionalPath) throws -> T? {
  if case .optional(let path) = path.storage, case .literal(let key) = path.storage, key.hasPointerRepresentation {
    return try json.decodeMemberIfPresent(LiteralKey(key))
  }
  return try json.value(ifPresentAt: path, with: T.decode)
}

/// Returns the value at `path` in `json`, with the first operand of `path` required. Returns `nil` if the value is `null` or an optional
/// step is missing.
///
///     let city: String? = try json => "owner" =>? "address"
///
/// The same as `json =>? JSON.OptionalPath(requiring: "owner") =>? "address"`. The overload is disfavoured, so that chains of
/// only `=>` are not ambiguous.
///
/// - Throws: The same errors as the other operators.
@_disfavoredOverload
public func => <T: JSONDecodable>(json: JSON, path: JSON.OptionalPath) throws -> T? {
  try json =>? path.requiringFirst
}

extension JSON {
  /// Returns the value at `path` as a `T`. The same as `self => path`.
  ///
  /// - Throws: ``JSONDecodingError``.
  @inlinable
  public func value<T: JSONDecodable>(at path: Path) throws -> T { try self => path }

  /// Returns the value at `path` as a `T`; `nil` if it is `null` or an optional step is missing. The same as `self =>? path`.
  ///
  /// - Throws: ``JSONDecodingError``.
  @inlinable
  public func value<T: JSONDecodable>(ifPresentAt path: OptionalPath) throws -> T? { try self =>? path }
}
