internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The attributes that a value has encoded so far.
final class AttributeCollector {
  /// What the value turned out to be.
  enum Shape {
    /// Keyed, and encoded value by value.
    case keyed
    /// Keyed, with containers of its own making.
    case pieces
    /// Not keyed.
    case other
  }

  var shape = Shape.other
  private(set) var attributes: [Attribute] = []
  /// The keys under which there are containers of the value's own making.
  private(set) var piecedKeys: [String] = []

  private var indices: [String: Int] = [:]
  private let json: JSON.Encoder

  init(json: JSON.Encoder) {
    self.json = json
  }

  func add(_ attribute: Attribute) {
    // Most values encode each key once: only then is it worth looking where it was.
    if let index = indices.updateValue(attributes.count, forKey: attribute.name) {
      attributes[index] = attribute
      indices[attribute.name] = index
    } else {
      attributes.append(attribute)
    }
  }

  func add<T: StoredScalar>(_ value: T, _ key: some CodingKey) throws {
    do throws(UnstorableValue) {
      add(Attribute(key.stringValue, T.storedType, try value.stored))
    } catch {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [key], debugDescription: "The value cannot be stored: \(error.reason)."))
    }
  }

  func addPieces(_ key: String) {
    shape = .pieces
    piecedKeys.append(key)
    add(Attribute(key, .json, .null))
  }

  /// Adds a value whose type says nothing by what it encodes itself as.
  func addOther<T: Encodable>(_ value: T, _ key: some CodingKey) throws {
    switch value {
    case let value as Date: return try add(value, key)
    case let value as UUID: return try add(value, key)
    case let value as URL: return try add(value, key)
    case let value as Data: return try add(value, key)
    case let value as Decimal: return try add(value, key)
    default: break
    }
    let text: Data
    do {
      text = try json.encode(value)
    } catch EncodingError.invalidValue(let value, let context) {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: [key] + context.codingPath, debugDescription: context.debugDescription,
          underlyingError: context.underlyingError))
    }
    switch text.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      add(Attribute(key.stringValue, .json, .text(String(decoding: text, as: UTF8.self))))
    default: try addScalar(JSON(parsing: text), key)
    }
  }

  private func addScalar(_ scalar: JSON, _ key: some CodingKey) throws {
    switch scalar.kind {
    case .bool: try add(scalar.bool ?? false, key)
    case .string: try add(scalar.string ?? "", key)
    case .number:
      if let number: Int64 = try? scalar => JSON.Path() {
        try add(number, key)
      } else {
        try add(try (scalar => JSON.Path()) as Double, key)
      }
    default: add(Attribute(key.stringValue, nil, .null))
    }
  }
}
