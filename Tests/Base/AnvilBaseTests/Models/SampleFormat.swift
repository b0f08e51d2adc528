import AnvilBase
import AnvilJSON
import Foundation
import Testing

/// The formats that a test runs with. Each converts JSON texts to its input.
enum SampleFormat: CaseIterable, CustomTestStringConvertible {
  case anvil, foundation, propertyList

  /// The formats that support null and scalars at the root.
  static let json: [SampleFormat] = [.anvil, .foundation]

  var testDescription: String { "\(self)" }

  var format: any DecodingFormat {
    switch self {
    case .anvil: JSON.Decoder()
    case .foundation: JSONDecoder()
    case .propertyList: PropertyListDecoder()
    }
  }

  /// Returns the value of `json` in this format. A property list represents null by the string "$null", as in
  /// Foundation's encoder.
  func data(_ json: String) throws -> Data {
    guard self == .propertyList else { return Data(json.utf8) }
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    return try PropertyListSerialization.data(fromPropertyList: Self.list(object), format: .xml, options: 0)
  }

  func update<T: DecoderUpdatable>(_ value: T, _ json: String) throws -> T {
    try format.update(value, from: data(json))
  }

  private static func list(_ object: Any) -> Any {
    switch object {
    case let object as [String: Any]: object.mapValues(list)
    case let array as [Any]: array.map(list)
    case is NSNull: "$null"
    default: object
    }
  }
}

extension DecodingError {
  /// The path of the error: keys and indices joined by points, including a missing key.
  var place: String {
    let path: [any CodingKey] =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        context.codingPath
      case .keyNotFound(let key, let context): context.codingPath + [key]
      @unknown default: []
      }
    return path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
