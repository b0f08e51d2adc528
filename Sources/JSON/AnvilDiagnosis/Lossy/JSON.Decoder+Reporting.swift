public import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON.Decoder {
  /// Returns a decoder with the current strategies of this one, whose lenient types report to `report`.
  ///
  /// This decoder is not changed, so it can be used at the same time with other reports.
  public func reporting(to report: DecodingReport) -> JSON.Decoder {
    let decoder = copy()
    decoder.userInfo[.decodingReport] = report
    return decoder
  }

  /// Returns a copy of this decoder and the report of its lenient types. The current decoder's report receives the same entries.
  package func collectingReport() -> (decoder: JSON.Decoder, report: DecodingReport) {
    let report = DecodingReport(forwardingTo: userInfo[.decodingReport] as? DecodingReport)
    return (reporting(to: report), report)
  }

  /// Decodes one value of type `type` from all of `data`, and returns it with a report of its lenient types.
  ///
  ///     let (page, report) = try decoder.decodeReporting(Page.self, from: data)
  ///
  /// - Throws: the same errors as `decode(_:from:)`. To obtain the report in that case, or to set another limit, decode
  ///   with ``reporting(to:)``.
  public func decodeReporting<T: Decodable>(
    _ type: T.Type, from data: Data
  ) throws -> (value: T, report: DecodingReport) {
    let report = DecodingReport()
    return (try reporting(to: report).decode(type, from: data), report)
  }
}
