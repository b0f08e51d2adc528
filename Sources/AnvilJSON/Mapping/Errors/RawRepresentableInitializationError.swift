/// A raw value that stands for no value of its type.
public struct RawRepresentableInitializationError: JSONDecodingError {
  /// The name of the type that has no such value.
  public let type: String
  /// The raw values of ``type``, where it is an enumeration.
  package let choices: [String]
  /// The way from ``rootObject`` to ``object``.
  public var path: JSON.Path
  /// The value that failed.
  public var object: JSON?
  /// The value that ``path`` starts from.
  public var rootObject: JSON?

  /// That the raw value in `object` stands for no value of `type`.
  public init(_ type: Any.Type, in object: JSON) {
    self.type = String(describing: type)
    choices = EnumShape.rawValues(of: type)
    path = JSON.Path()
    self.object = object
    rootObject = object
  }

  /// Where, and the raw value: `RawRepresentableInitializationError at object.color: no value of Color in "purpel"`.
  public var description: String { description(of: "no value of \(type)") }
}
