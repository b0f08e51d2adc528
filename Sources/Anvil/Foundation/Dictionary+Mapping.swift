import Foundation

// The mapping operators on dictionaries as `JSONSerialization` gives them.

extension [String: Any] {
  /// The value at `path` as a `T`: `self => path` by name.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<T: JSONDecodable>(at path: JSON.Path) throws -> T {
    try FoundationLookup(root: self).value(at: path) { try T.decode($0) }
  }

  /// The value at `path` as a `T`; `nil` when a step that may be missing is, and for `NSNull`: `self =>? path` by name.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<T: JSONDecodable>(ifPresentAt path: JSON.OptionalPath) throws -> T? {
    try FoundationLookup(root: self).value(ifPresentAt: path) { try T.decode($0) }
  }

  /// What `strategy` makes of the value at `path`.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<T>(at path: JSON.Path, with strategy: JSON.DecodingStrategy<T>) throws -> T {
    try FoundationLookup(root: self).value(at: path, with: strategy.decode)
  }

  /// What `strategy` makes of the value at `path`; `nil` when a step that may be missing is, and for `NSNull`.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<T>(ifPresentAt path: JSON.OptionalPath, with strategy: JSON.DecodingStrategy<T>) throws -> T? {
    try FoundationLookup(root: self).value(ifPresentAt: path, with: strategy.decode)
  }
}

/// The value at `path` in `object` as a `T`: `value(at:)` of the dictionary by name.
///
/// What JSON's `=>` gives and throws for the dictionary as JSON.
///
/// - Throws: ``JSONDecodingError``.
/// - Complexity: O(*n*), *n* the size of what `path` leads to; only that becomes JSON.
public func => <T: JSONDecodable>(object: [String: Any], path: JSON.Path) throws -> T { try object.value(at: path) }

/// The value at `path` in `object` as a `T`; `nil` when a step that may be missing is, and for `NSNull`:
/// `value(ifPresentAt:)` of the dictionary by name.
///
/// - Throws: ``JSONDecodingError``.
public func =>? <T: JSONDecodable>(object: [String: Any], path: JSON.OptionalPath) throws -> T? {
  try object.value(ifPresentAt: path)
}

/// The value at `path` in `object`, of which what stands directly behind the operator must be there.
///
/// - Throws: ``JSONDecodingError``.
@_disfavoredOverload
public func => <T: JSONDecodable>(object: [String: Any], path: JSON.OptionalPath) throws -> T? {
  try object.value(ifPresentAt: path.requiringFirst)
}

/// What the strategy makes of the value at the path.
///
/// - Throws: ``JSONDecodingError``.
public func => <Value>(object: [String: Any], target: (JSON.Path, JSON.DecodingStrategy<Value>)) throws -> Value {
  try object.value(at: target.0, with: target.1)
}

/// What the strategy makes of the value at the path; `nil` when a step that may be missing is, and for `NSNull`.
///
/// - Throws: ``JSONDecodingError``.
public func =>? <Value>(
  object: [String: Any], target: (JSON.OptionalPath, JSON.DecodingStrategy<Value>)
) throws -> Value? {
  try object.value(ifPresentAt: target.0, with: target.1)
}
