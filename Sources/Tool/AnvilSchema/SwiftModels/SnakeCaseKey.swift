internal import AnvilJSON

/// Converts keys as `.convertFromSnakeCase` does, by decoding them with that strategy.
enum SnakeCaseKey {
  /// Returns the key that the decoder reports for the member with `key`.
  static func converted(_ key: String) -> String {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = try? JSON.Encoder().encode([key: 0]), let probe = try? decoder.decode(Probe.self, from: data)
    else {
      return key
    }
    return probe.key
  }

  /// A type that decodes the only key of an object.
  private struct Probe: Decodable {
    let key: String

    init(from decoder: any Decoder) throws {
      key = try decoder.container(keyedBy: Key.self).allKeys.first?.stringValue ?? ""
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
