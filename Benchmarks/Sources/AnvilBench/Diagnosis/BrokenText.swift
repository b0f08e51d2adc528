#if !WITHOUT_DIAGNOSIS
import AnvilJSON
import Foundation

/// Texts that do not decode.
enum BrokenText {
  /// A value that is nested in two others.
  final class Nest: Decodable {
    var child: Nest?
    var values: [Int]?
  }

  /// The text with its first `times` occurrences of `part` replaced.
  static func replacing(_ part: String, with other: String, in text: Data, times: Int) -> Data {
    Data(String(decoding: text, as: UTF8.self).replacing(part, with: other, maxReplacements: times).utf8)
  }

  /// An array of records in one line. So many of them, evenly spread, have a string for a number or lack the key
  /// `missing`.
  static func records(megabytes: Int, problems: Int, missing: String? = nil) throws -> Data {
    var record = try JSON.Decoder().decode(SmallObject.self, from: SmallObject.json)
    let encoder = JSON.Encoder()
    let count = try megabytes * 1_000_000 / encoder.encode(record).count
    var text = Data("[".utf8)
    for index in 0..<count {
      record.id += 1
      if index > 0 { text.append(0x2C) }
      let good = try encoder.encode(record)
      let isBroken = index % (count / problems) == count / problems - 1
      guard isBroken else {
        text.append(good)
        continue
      }
      let key = missing ?? "size"
      text.append(
        replacing("\"\(key)\":", with: missing == nil ? "\"\(key)\":-0.5e-" : "\"extent\":", in: good, times: 1))
    }
    text.append(0x5D)
    return text
  }

  /// An array of strings.
  static func strings(_ count: Int) -> Data { Data("[\((0..<count).map { "\"\($0)\"" }.joined(separator: ","))]".utf8) }

  /// An object of numbers and, at its end, 100 strings.
  static func members(_ count: Int) -> Data {
    let members = (0..<count).map { $0 < count - 100 ? "\"key \($0)\":\($0)" : "\"key \($0)\":\"\($0)\"" }
    return Data("{\(members.joined(separator: ","))}".utf8)
  }

  /// Objects in objects, with an array of 100 strings in the innermost.
  static func nest(levels: Int) -> Data {
    let values = String(decoding: strings(100), as: UTF8.self)
    return Data(
      (String(repeating: "{\"child\":", count: levels - 1) + "{\"values\":\(values)}"
        + String(repeating: "}", count: levels - 1)).utf8)
  }
}
#endif
