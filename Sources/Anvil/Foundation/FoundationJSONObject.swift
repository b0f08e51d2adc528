public import Foundation

/// A JSON object as `JSONSerialization` returns it: an `NSDictionary` or a `[String: Any]`. Both are read with the same operators as
/// ``JSON``.
///
///     let login: String = try dictionary => "owner" => "login"
public protocol FoundationJSONObject {}

extension NSDictionary: FoundationJSONObject {}
extension Dictionary: FoundationJSONObject where Key == String, Value == Any {}

extension FoundationJSONObject {
  /// Returns the value at `path` as a `T`, as `self => path` does.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<T: JSONDecodable>(at path: JSON.Path) throws -> T {
    try FoundationLookup(root: self).value(at: path) { try T.decode($0) }
  }

  /// Returns the value at `path` as a `T`, as `self =>? path` does; `nil` for `NSNull` and if an optional step of the path is missing.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<T: JSONDecodable>(ifPresentAt path: JSON.OptionalPath) throws -> T? {
    try FoundationLookup(root: self).value(ifPresentAt: path) { try T.decode($0) }
  }

  /// Returns the value at `path`, decoded by `strategy`.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<T>(at path: JSON.Path, with strategy: JSON.DecodingStrategy<T>) throws -> T {
    try FoundationLookup(root: self).value(at: path, with: strategy.decode)
  }

  /// Returns the value at `path`, decoded by `strategy`; `nil` for `NSNull` and if an optional step of the path is missing.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<T>(ifPresentAt path: JSON.OptionalPath, with strategy: JSON.DecodingStrategy<T>) throws -> T? {
    try FoundationLookup(root: self).value(ifPresentAt: path, with: strategy.decode)
  }
}

/// Returns the value at `path` in `object` as a `T`, as its `value(at:)` does.
///
/// The result and the errors are those of `=>` for the same object as ``JSON``.
///
/// - Throws: ``JSONDecodingError``.
/// - Complexity: O(*n*), where *n* is the size of the object at `path`. Only that object is converted to JSON, unless an error is thrown.
public func => <T: JSONDecodable>(object: some FoundationJSONObject, path: JSON.Path) throws -> T {
  try object.value(at: path)
}

/// Returns the value at `path` in `object` as a `T`, as its `value(ifPresentAt:)` does; `nil` for `NSNull` and if an optional step of the
/// path is missing.
///
/// - Throws: ``JSONDecodingError``.
public func =>? <T: JSONDecodable>(object: some FoundationJSONObject, path: JSON.OptionalPath) throws -> T? {
  try object.value(ifPresentAt: path)
}

/// Returns the value at `path` in `object`. The first step of the path, which directly follows the operator, must be present. The result is
/// `nil` for `NSNull` and if an optional step is missing.
///
/// - Throws: ``JSONDecodingError``.
@_disfavoredOverload
public func => <T: JSONDecodable>(object: some FoundationJSONObject, path: JSON.OptionalPath) throws -> T? {
  try object.value(ifPresentAt: path.requiringFirst)
}

/// Returns the value at the path, decoded by the strategy.
///
/// - Throws: ``JSONDecodingError``.
public func => <Value>(
  object: some FoundationJSONObject, target: (JSON.Path, JSON.DecodingStrategy<Value>)
) throws -> Value {
  try object.value(at: target.0, with: target.1)
}

/// Returns the value at the path, decoded by the strategy; `nil` for `NSNull` and if an optional step of the path is missing.
///
/// - Throws: ``JSONDecodingError``.
public func =>? <Value>(
  object: some FoundationJSONObject, target: (JSON.OptionalPath, JSON.DecodingStrategy<Value>)
) throws -> Value? {
  try object.value(ifPresentAt: target.0, with: target.1)
}
