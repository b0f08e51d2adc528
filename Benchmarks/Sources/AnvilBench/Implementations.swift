import AnvilJSON
import Foundation

/// An implementation of decoding a text into a model.
struct DecodingImplementation<Model> {
  var name: String
  /// Decodes a text, and frees the result.
  let run: (Data) throws -> Void
  /// Decodes a text into the model by which all implementations are compared.
  let decode: (Data) throws -> Model

  init(name: String, decode: @escaping (Data) throws -> Model) {
    self.init(name: name, decode: decode) { $0 }
  }

  /// Creates an implementation with a separate model.
  ///
  /// - Parameter converted: Returns the model by which implementations are compared.
  init<Other>(
    name: String, decode: @escaping (Data) throws -> Other, converted: @escaping (Other) throws -> Model
  ) {
    self.name = name
    run = { _ = try decode($0) }
    self.decode = { try converted(decode($0)) }
  }
}

/// An implementation of encoding a model as a text.
struct EncodingImplementation<Model> {
  var name: String
  /// Returns a function that encodes `model`, or this implementation's equivalent of it.
  let encoder: (_ model: Model) throws -> () throws -> Data

  init(name: String, encode: @escaping (Model) throws -> Data) {
    self.name = name
    encoder = { model in { try encode(model) } }
  }

  /// Creates an implementation with a separate model.
  ///
  /// - Parameter converted: Returns the value to encode for the model by which implementations are compared.
  init<Other>(
    name: String, converted: @escaping (Model) throws -> Other, encode: @escaping (Other) throws -> Data
  ) {
    self.name = name
    encoder = { model in
      let other = try converted(model)
      return { try encode(other) }
    }
  }
}

/// The implementations in this process, in the order of the tables. Foundation, the reference, is the first.
enum Implementations {
  static func decoders<Case: BenchmarkCase>(of case: Case.Type) -> [DecodingImplementation<Case.Model>] {
    let foundation = JSONDecoder()
    let anvil = JSON.Decoder()
    let plain: (Case.MacroModel) throws -> Case.Model = {
      try JSONDecoder().decode(Case.Model.self, from: JSONEncoder().encode($0))
    }
    return [
      .init(name: "Foundation JSONDecoder") { try foundation.decode(Case.Model.self, from: $0) },
      .init(name: "Anvil JSON.Decoder") { try anvil.decode(Case.Model.self, from: $0) },
      .init(name: "Anvil => mapping") { try Case.Model.decode(JSON(parsing: $0)) },
      .init(
        name: "Anvil JSON.Decoder, macro", decode: { try anvil.decode(Case.MacroModel.self, from: $0) },
        converted: plain),
      .init(
        name: "Anvil JSON.read", decode: { try JSON.read(Case.MacroModel.self, from: $0) }, converted: plain),
    ] + Case.decodersByHand
  }

  static func encoders<Case: BenchmarkCase>(of case: Case.Type) -> [EncodingImplementation<Case.Model>] {
    let foundation = JSONEncoder()
    let anvil = JSON.Encoder()
    // Not by Foundation: the instructions that its dictionaries execute differ between processes.
    let macro: (Case.Model) throws -> Case.MacroModel = { try JSON.read(Case.MacroModel.self, from: anvil.encode($0)) }
    return [
      .init(name: "Foundation JSONEncoder") { try foundation.encode($0) },
      .init(name: "Anvil JSON.Encoder") { try anvil.encode($0) },
      .init(name: "Anvil JSON.Encoder, macro", converted: macro) { try anvil.encode($0) },
      .init(name: "Anvil JSON.write", converted: macro) { try JSON.write($0) },
    ] + Case.encodersByHand
  }
}
