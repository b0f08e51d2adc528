/// A value of an array or a dictionary if it decodes, else nothing: decoding an attempt never fails, so that whatever
/// decoder it is goes on behind it.
struct Attempt<Value: Decodable, Part: SkippablePart>: Decodable {
  let value: Value?

  init(from decoder: any Swift.Decoder) throws {
    do {
      // Not by the initialiser: the decoder's strategies would be lost.
      value = try decoder.singleValueContainer().decode(Value.self)
    } catch {
      value = nil
      guard let report = decoder.report else { return }
      report.record(DecodingReport.Entry(Part.code, at: decoder.path, error: error))
    }
  }
}

/// What an attempt is a part of.
protocol SkippablePart {
  /// What is reported of one that fails.
  static var code: DecodingReport.Code { get }
}

/// A part of an array.
enum ElementPart: SkippablePart {
  static var code: DecodingReport.Code { .skippedElement }
}

/// A part of a dictionary.
enum MemberPart: SkippablePart {
  static var code: DecodingReport.Code { .skippedMember }
}
