import AnvilBase
import AnvilJSON

/// The strategies that both coders are set to.
enum CoderSetup: String, CaseIterable, Sendable {
  case plain, snakeCase, customKeys, secondsSince1970, millisecondsSince1970, iso8601, bytesAsArrays, floatsAsStrings

  /// `true` if keys in the text differ from those of the type.
  var convertsKeys: Bool { self == .snakeCase || self == .customKeys }

  func decoders() -> (theirs: JSONDecoder, ours: JSON.Decoder) {
    let theirs = JSONDecoder()
    let ours = JSON.Decoder()
    switch self {
    case .plain: break
    case .snakeCase:
      theirs.keyDecodingStrategy = .convertFromSnakeCase
      ours.keyDecodingStrategy = .convertFromSnakeCase
    case .customKeys:
      theirs.keyDecodingStrategy = .custom { Self.unprefixed($0) }
      ours.keyDecodingStrategy = .custom { Self.unprefixed($0) }
    case .secondsSince1970:
      theirs.dateDecodingStrategy = .secondsSince1970
      ours.dateDecodingStrategy = .secondsSince1970
    case .millisecondsSince1970:
      theirs.dateDecodingStrategy = .millisecondsSince1970
      ours.dateDecodingStrategy = .millisecondsSince1970
    case .iso8601:
      theirs.dateDecodingStrategy = .iso8601
      ours.dateDecodingStrategy = .iso8601
    case .bytesAsArrays:
      theirs.dataDecodingStrategy = .deferredToData
      ours.dataDecodingStrategy = .deferredToData
    case .floatsAsStrings:
      theirs.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      ours.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }
    return (theirs, ours)
  }

  /// Encoders that sort members, because any other order is unspecified.
  func encoders() -> (theirs: JSONEncoder, ours: JSON.Encoder) {
    let theirs = JSONEncoder()
    let ours = JSON.Encoder()
    theirs.outputFormatting = self == .iso8601 ? [.sortedKeys, .prettyPrinted] : .sortedKeys
    ours.outputFormatting = self == .iso8601 ? [.sortedKeys, .prettyPrinted] : .sortedKeys
    switch self {
    case .plain: break
    case .snakeCase:
      theirs.keyEncodingStrategy = .convertToSnakeCase
      ours.keyEncodingStrategy = .convertToSnakeCase
    case .customKeys:
      theirs.keyEncodingStrategy = .custom { Self.prefixed($0) }
      ours.keyEncodingStrategy = .custom { Self.prefixed($0) }
    case .secondsSince1970:
      theirs.dateEncodingStrategy = .secondsSince1970
      ours.dateEncodingStrategy = .secondsSince1970
    case .millisecondsSince1970:
      theirs.dateEncodingStrategy = .millisecondsSince1970
      ours.dateEncodingStrategy = .millisecondsSince1970
    case .iso8601:
      theirs.dateEncodingStrategy = .iso8601
      ours.dateEncodingStrategy = .iso8601
    case .bytesAsArrays:
      theirs.dataEncodingStrategy = .deferredToData
      ours.dataEncodingStrategy = .deferredToData
    case .floatsAsStrings:
      theirs.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      ours.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }
    return (theirs, ours)
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// Prefixes each key with an x. The conversion ignores outer keys, because Foundation's encoder omits the keys of
  /// dictionaries from the path.
  private static func prefixed(_ path: [any CodingKey]) -> any CodingKey { Key("x" + (path.last?.stringValue ?? "")) }

  private static func unprefixed(_ path: [any CodingKey]) -> any CodingKey {
    let key = path.last?.stringValue ?? ""
    return Key(key.hasPrefix("x") ? String(key.dropFirst()) : key)
  }
}
