/// A key that an object does not have, or an index beyond an array's end.
public struct MissingKeyError: JSONDecodingError {
  /// The one step that leads nowhere.
  public let key: JSON.Path
  /// The way from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The object without the key, or the array that is too short.
  public var object: JSON?
  /// The value that ``path`` starts from.
  public var rootObject: JSON?

  /// That `key` is missing in `object`.
  public init(_ key: JSON.Path, in object: JSON) {
    self.init(key, at: JSON.Path(), object: object, rootObject: object)
  }

  init(_ key: JSON.Path, at path: JSON.Path, object: JSON, rootObject: JSON) {
    self.key = key
    self.path = path
    self.object = object
    self.rootObject = rootObject
  }

  /// Where, and what there is instead: `MissingKeyError at object.repo.owner: name in {"id": 1, "login": "anviking"}`.
  public var description: String { description(of: key.description) }
}
