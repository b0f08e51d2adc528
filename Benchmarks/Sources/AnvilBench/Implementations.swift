import AnvilJSON
import Foundation

/// What every implementation needs to know of a model.
typealias BenchmarkModel = Codable & Equatable & JSONDecodable & JSONEncodable & JSONReadable & JSONWritable

/// One way to make a model from a text.
struct DecodingImplementation<Model> {
  var name: String
  var decode: (Data) throws -> Model
}

/// One way to make a text of a model.
struct EncodingImplementation<Model> {
  var name: String
  var encode: (Model) throws -> Data
}

/// Those within this process, in the order of the tables; Foundation, to which the others are compared, is the first.
enum Implementations {
  static func decoders<Model: BenchmarkModel>(of model: Model.Type) -> [DecodingImplementation<Model>] {
    let foundation = JSONDecoder()
    let anvil = JSON.Decoder()
    return [
      .init(name: "Foundation JSONDecoder") { try foundation.decode(model, from: $0) },
      .init(name: "Anvil JSON.Decoder") { try anvil.decode(model, from: $0) },
      .init(name: "Anvil => mapping") { try Model.decode(JSON(parsing: $0)) },
      .init(name: "Anvil JSON.read") { try JSON.read(model, from: $0) },
    ]
  }

  static func encoders<Model: BenchmarkModel>(of model: Model.Type) -> [EncodingImplementation<Model>] {
    let foundation = JSONEncoder()
    let anvil = JSON.Encoder()
    return [
      .init(name: "Foundation JSONEncoder") { try foundation.encode($0) },
      .init(name: "Anvil JSON.Encoder") { try anvil.encode($0) },
      .init(name: "Anvil JSON.Builder") { try JSON(encoding: $0).serializedData() },
      .init(name: "Anvil JSON.write") { try JSON.write($0) },
    ]
  }
}
