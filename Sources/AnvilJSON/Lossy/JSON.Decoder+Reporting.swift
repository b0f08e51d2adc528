#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON.Decoder {
  /// A decoder with the strategies that this one has now, whose lenient types report to `report`.
  ///
  /// This decoder stays as it is: others may use it at the same time, with reports of their own.
  public func reporting(to report: DecodingReport) -> JSON.Decoder {
    let decoder = copy()
    decoder.userInfo[.decodingReport] = report
    return decoder
  }

  /// Returns a copy of this decoder and the report of its lenient types. A report that this decoder has receives the same.
  package func collectingReport() -> (decoder: JSON.Decoder, report: DecodingReport) {
    let report = DecodingReport(forwardingTo: userInfo[.decodingReport] as? DecodingReport)
    return (reporting(to: report), report)
  }

  /// Decodes one value of type `type` from all of `data`, and says what lenient types did for it.
  ///
  ///     let (page, report) = try decoder.decodeReporting(Page.self, from: data)
  ///
  /// - Throws: as ``decode(_:from:)-(_,Data)``. To have the report even then, or with another limit, decode with
  ///   ``reporting(to:)``.
  public func decodeReporting<T: Decodable>(
    _ type: T.Type, from data: Data
  ) throws -> (value: T, report: DecodingReport) {
    let report = DecodingReport()
    return (try reporting(to: report).decode(type, from: data), report)
  }
}
