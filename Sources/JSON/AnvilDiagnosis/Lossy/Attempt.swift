/// A value of an array or a dictionary, or `nil` if it does not decode. Decoding an attempt never fails, so any decoder
/// continues with the next value.
struct Attempt<Value: Decodable, Part: SkippablePart>: Decodable {
  let value: Value?

  init(from decoder: any Swift.Decoder) throws {
    do {
      // The value's initialiser is not called directly: the decoder's strategies would be ignored.
      value = try decoder.singleValueContainer().decode(Value.self)
    } catch {
      value = nil
      guard let report = decoder.report else { return }
      report.record(DecodingReport.Entry(Part.code, at: decoder.path, error: error))
    }
  }
}

/// The kind of container whose values are decoded as attempts.
protocol SkippablePart {
  /// The code that is reported for a failed attempt.
  static var code: DecodingReport.Code { get }
}

/// Attempts for the elements of an array.
enum ElementPart: SkippablePart {
  static var code: DecodingReport.Code { .skippedElement }
}

/// Attempts for the values of a dictionary.
enum MemberPart: SkippablePart {
  static var code: DecodingReport.Code { .skippedMember }
}
