internal import AnvilJSON

/// What `.convertFromSnakeCase` makes of keys: found by asking the decoder, which alone knows.
enum SnakeCaseKey {
  /// The key under which the decoder shows the member with `key`.
  static func converted(_ key: String) -> String {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = try? JSON.Encoder().encode([key: 0]), let probe = try? decoder.decode(Probe.self, from: data)
    else {
      return key
    }
    return probe.key
  }

  /// Takes the only key that there is.
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
