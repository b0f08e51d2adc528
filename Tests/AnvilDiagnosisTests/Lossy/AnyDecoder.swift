import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

/// One of the decoders that lenient types must get along with, each reading what Foundation would write of the same JSON.
enum AnyDecoder: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case anvil, foundation, xmlPropertyList, binaryPropertyList

  /// Those that have null: property lists do not.
  static let withNull: [AnyDecoder] = [.anvil, .foundation]

  var testDescription: String { rawValue }

  /// Decodes a `type` from what the JSON text `json` stands for, with what was reported.
  func decode<T: Decodable>(_ type: T.Type, _ json: String) throws -> (value: T, report: DecodingReport) {
    let report = DecodingReport()
    switch self {
    case .anvil:
      return (try JSON.Decoder().reporting(to: report).decode(type, from: Data(json.utf8)), report)
    case .foundation:
      let decoder = JSONDecoder()
      decoder.userInfo[.decodingReport] = report
      return (try decoder.decode(type, from: Data(json.utf8)), report)
    case .xmlPropertyList, .binaryPropertyList:
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
      let data = try PropertyListSerialization.data(
        fromPropertyList: object, format: self == .xmlPropertyList ? .xml : .binary, options: 0)
      let decoder = PropertyListDecoder()
      decoder.userInfo[.decodingReport] = report
      return (try decoder.decode(type, from: data), report)
    }
  }

  /// Decodes a `type` without anybody who wants to know.
  func decodeSilently<T: Decodable>(_ type: T.Type, _ json: String) throws -> T {
    self == .anvil
      ? try JSON.Decoder().decode(type, from: Data(json.utf8))
      : try JSONDecoder().decode(type, from: Data(json.utf8))
  }
}
