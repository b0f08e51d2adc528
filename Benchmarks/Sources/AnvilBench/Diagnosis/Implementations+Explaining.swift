#if !WITHOUT_DIAGNOSIS
import AnvilDiagnosis
import AnvilJSON

extension Implementations {
  /// The implementations that explain decoding errors.
  static func explaining<Model: Decodable>(_ model: Model.Type) -> DecodingImplementation<Model> {
    let anvil = JSON.Decoder()
    return .init(name: SingleRun.explaining) { try anvil.decodeAll(model, from: $0) }
  }
}
#endif
