/// An error thrown for a value that is not a raw value of its type.
public struct RawRepresentableInitializationError: JSONDecodingError {
  /// The name of the type.
  public let type: String
  /// At most the first twelve raw values of ``type`` as text; empty if it is not an enumeration.
  package let choices: [String]
  /// The path from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed.
  public var object: JSON?
  /// The value at which ``path`` starts.
  public var rootObject: JSON?

  /// Creates an error for the value `object`, which is not a raw value of `type`.
  public init(_ type: Any.Type, in object: JSON) {
    self.type = String(describing: type)
    choices = EnumMetadata.rawValues(of: type)
    path = JSON.Path()
    self.object = object
    rootObject = object
  }

  /// The location and the raw value: `RawRepresentableInitializationError at object.color: not a valid value of Color in "purpel"`.
  public var description: String { description(of: "not a valid value of \(type)") }
}
