import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

/// A decoder that lenient types must support. Each reads the same values, written by Foundation's encoder of its
/// format.
enum AnyDecoder: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case anvil, foundation, xmlPropertyList, binaryPropertyList

  /// The decoders of formats with null, which property lists do not have.
  static let withNull: [AnyDecoder] = [.anvil, .foundation]

  var testDescription: String { rawValue }

  /// Decodes a `type` from the value of the JSON text `json`, and returns it with the report.
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

  /// Decodes a `type` without a report.
  func decodeSilently<T: Decodable>(_ type: T.Type, _ json: String) throws -> T {
    self == .anvil
      ? try JSON.Decoder().decode(type, from: Data(json.utf8))
      : try JSONDecoder().decode(type, from: Data(json.utf8))
  }
}
