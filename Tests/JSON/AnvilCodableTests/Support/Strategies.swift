import AnvilCodable
import Foundation

/// A way to set a coder, with a name for messages.
struct Setting<Coder>: Sendable {
  let name: String
  let apply: @Sendable (Coder) -> Void
}

/// A key that a strategy has made.
private struct MadeKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Setting<JSON.Decoder> {
  static let all = [
    Setting(name: "default") { _ in },
    Setting(name: "seconds") { $0.dateDecodingStrategy = .secondsSince1970 },
    Setting(name: "milliseconds") { $0.dateDecodingStrategy = .millisecondsSince1970 },
    Setting(name: "iso8601") { $0.dateDecodingStrategy = .iso8601 },
    Setting(name: "custom dates") {
      $0.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: try Double(from: $0) + 1) }
    },
    Setting(name: "bytes") { $0.dataDecodingStrategy = .deferredToData },
    Setting(name: "custom data") { $0.dataDecodingStrategy = .custom { Data(try String(from: $0).utf8) } },
    Setting(name: "floats") {
      $0.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "x", negativeInfinity: "1", nan: "NaN")
    },
    Setting(name: "snake case") { $0.keyDecodingStrategy = .convertFromSnakeCase },
    Setting(name: "custom keys") {
      $0.keyDecodingStrategy = .custom { MadeKey(stringValue: $0.last.map { $0.stringValue.lowercased() } ?? "") }
    },
    Setting(name: "JSON5") { $0.allowsJSON5 = true },
    Setting(name: "members") { $0.assumesTopLevelDictionary = true },
    Setting(name: "depth limit") { $0.parsingOptions.depthLimit = 2 },
    Setting(name: "size limit") { $0.parsingOptions.sizeLimit = 60 },
  ]
}

extension Setting<JSON.Encoder> {
  static let all = [
    Setting(name: "default") { _ in },
    Setting(name: "seconds") { $0.dateEncodingStrategy = .secondsSince1970 },
    Setting(name: "milliseconds") { $0.dateEncodingStrategy = .millisecondsSince1970 },
    Setting(name: "iso8601") { $0.dateEncodingStrategy = .iso8601 },
    Setting(name: "custom dates") {
      $0.dateEncodingStrategy = .custom { try $0.timeIntervalSince1970.rounded().encode(to: $1) }
    },
    Setting(name: "bytes") { $0.dataEncodingStrategy = .deferredToData },
    Setting(name: "custom data") { $0.dataEncodingStrategy = .custom { try $0.count.encode(to: $1) } },
    Setting(name: "floats") {
      $0.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "+", negativeInfinity: "-", nan: "NaN")
    },
    Setting(name: "snake case") { $0.keyEncodingStrategy = .convertToSnakeCase },
    Setting(name: "custom keys") {
      $0.keyEncodingStrategy = .custom { MadeKey(stringValue: $0.last.map { $0.stringValue.uppercased() } ?? "") }
    },
    Setting(name: "slashes") { $0.outputFormatting = .withoutEscapingSlashes },
    Setting(name: "pretty") { $0.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes] },
    Setting(name: "sorted") { $0.outputFormatting = .sortedKeys },
    Setting(name: "slashes, seconds") {
      $0.outputFormatting = .withoutEscapingSlashes
      $0.dateEncodingStrategy = .secondsSince1970
    },
  ]
}
