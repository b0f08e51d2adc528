@testable import AnvilDiagnosis
@testable import AnvilJSON

/// Reads a document strictly according to another one: all of its members must be present, with values of the same
/// kinds.
///
/// A model of any document, so that damage to any of its values is an error.
struct StrictReading: Decodable {
  static let model = CodingUserInfoKey(rawValue: "model")

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  struct NoModel: Error {}

  init(from decoder: any Decoder) throws {
    guard let key = Self.model, let model = decoder.userInfo[key] as? JSON else { throw NoModel() }
    switch model.kind {
    case .object: try Self.read(decoder.container(keyedBy: Key.self), as: model)
    case .array:
      var elements = try decoder.unkeyedContainer()
      try Self.read(&elements, as: model)
    case .null: break
    case .bool: _ = try decoder.singleValueContainer().decode(Bool.self)
    case .number: _ = try decoder.singleValueContainer().decode(Double.self)
    case .string: _ = try decoder.singleValueContainer().decode(String.self)
    }
  }

  private static func read(_ members: KeyedDecodingContainer<Key>, as model: JSON) throws {
    for (name, value) in model.members {
      let key = Key(stringValue: name)
      switch value.kind {
      case .object: try read(members.nestedContainer(keyedBy: Key.self, forKey: key), as: value)
      case .array:
        var elements = try members.nestedUnkeyedContainer(forKey: key)
        try read(&elements, as: value)
      // A null of the model accepts any value, but the member must be present.
      case .null: _ = try members.decodeNil(forKey: key)
      case .bool: _ = try members.decode(Bool.self, forKey: key)
      case .number: _ = try members.decode(Double.self, forKey: key)
      case .string: _ = try members.decode(String.self, forKey: key)
      }
    }
  }

  private static func read(_ elements: inout any UnkeyedDecodingContainer, as model: JSON) throws {
    for value in model.elements {
      switch value.kind {
      case .object: try read(elements.nestedContainer(keyedBy: Key.self), as: value)
      case .array:
        var inner = try elements.nestedUnkeyedContainer()
        try read(&inner, as: value)
      case .null: _ = try elements.decodeNil()
      case .bool: _ = try elements.decode(Bool.self)
      case .number: _ = try elements.decode(Double.self)
      case .string: _ = try elements.decode(String.self)
      }
    }
  }
}
