#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A coding key with any text.
struct AttributeKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension StoredType {
  /// Returns the stored form of the value under `key`; `nil` if it is absent, null or not a single value.
  func decode(
    _ key: AttributeKey, from container: KeyedDecodingContainer<AttributeKey>
  ) -> StoreValue? {
    do throws(UnstorableValue) {
      return switch self {
      case .integer: try value(Int64.self, key, container)?.stored
      case .real: try value(Double.self, key, container)?.stored
      case .boolean: value(Bool.self, key, container)?.stored
      case .text: value(String.self, key, container)?.stored
      case .timestamp: try value(Date.self, key, container)?.stored
      case .date: try value(Date.self, key, container)?.storedNumber
      case .data: value(Data.self, key, container)?.stored
      case .uuid: value(UUID.self, key, container)?.stored
      case .url: value(URL.self, key, container)?.stored
      case .decimal: try value(Decimal.self, key, container)?.stored
      case .json: nil
      }
    } catch {
      return nil
    }
  }

  private func value<Value: Decodable>(
    _ type: Value.Type, _ key: AttributeKey, _ container: KeyedDecodingContainer<AttributeKey>
  ) -> Value? {
    try? container.decodeIfPresent(type, forKey: key)
  }
}
