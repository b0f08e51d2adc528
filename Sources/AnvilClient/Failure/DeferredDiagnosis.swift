internal import AnvilJSON
internal import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How a body that did not decode is looked into, once somebody wants to know: never on the way of a response that is used.
struct DeferredDiagnosis: Sendable {
  /// The diagnosis of a body's bytes; `nil` for a format that is not JSON.
  let make: @Sendable (Data, JSON.Diagnosis.Search) -> JSON.Diagnosis?

  /// How to look into the failure to decode a `type` by `format`, with `error`.
  init<Model: Decodable & SendableMetatype>(
    of error: any Error, decoding type: Model.Type, by format: any DecodingFormat
  ) {
    let source = "body"
    switch format {
    case let decoder as JSON.Decoder where type != ModelPlaceholder.self:
      // The strategies as they are now: the decoder may be given others.
      let decoder = decoder.copy()
      make = { decoder.diagnosis(of: error, decoding: type, from: $0, search: $1, source: source) }
    case let decoder as JSON.Decoder:
      let decoder = decoder.copy()
      make = { data, _ in JSON.Diagnosis(error, in: data, decoder: decoder, source: source) }
    case is JSONDecoder:
      let subject = TypeName.of(type)
      make = { data, _ in JSON.Diagnosis(error, in: data, source: source).of(subject) }
    default: make = { _, _ in nil }
    }
  }
}
