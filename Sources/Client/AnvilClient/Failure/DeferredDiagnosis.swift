internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The diagnosis of a body that could not be decoded. It is created on demand, so it costs successful responses nothing.
struct DeferredDiagnosis: Sendable {
  /// Returns the diagnosis of a body's bytes; `nil` for a format other than JSON.
  let make: @Sendable (Data, JSON.Diagnosis.Search) -> JSON.Diagnosis?

  /// Prepares the diagnosis of `error`, with which decoding a `type` in `format` failed.
  init<Model: Decodable & SendableMetatype>(
    of error: any Error, decoding type: Model.Type, by format: any DecodingFormat
  ) {
    let source = "body"
    switch format {
    case let decoder as JSON.Decoder where type != ModelPlaceholder.self:
      // The decoder's strategies may be changed later, so that a copy keeps the current ones.
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
