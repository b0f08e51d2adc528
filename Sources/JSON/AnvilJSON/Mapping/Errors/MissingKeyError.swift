/// An error thrown for a key that is missing in an object, or an index beyond the end of an array.
public struct MissingKeyError: JSONDecodingError {
  /// The step that is missing.
  public let key: JSON.Path
  /// The path from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The object without the key, or the array that is too short.
  public var object: JSON?
  /// The value at which ``path`` starts.
  public var rootObject: JSON?

  /// Creates an error for `key`, which is missing in `object`.
  public init(_ key: JSON.Path, in object: JSON) {
    self.init(key, at: JSON.Path(), object: object, rootObject: object)
  }

  init(_ key: JSON.Path, at path: JSON.Path, object: JSON, rootObject: JSON) {
    self.key = key
    self.path = path
    self.object = object
    self.rootObject = rootObject
  }

  /// The location, the key and the object: `MissingKeyError at object.repo.owner: name in {"id": 1, "login": "anviking"}`.
  public var description: String { description(of: key.description) }
}
