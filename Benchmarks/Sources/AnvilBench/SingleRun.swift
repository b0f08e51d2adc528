import AnvilJSON
import Foundation

/// One implementation on one case, so many times and nothing else: what counts are taken of.
struct SingleRun: CaseVisitor {
  /// `json.decode` or `json.encode`.
  var suite: String
  var implementation: String
  var iterations: Int

  mutating func visit<Model: BenchmarkModel>(_ name: String, _ model: Model.Type, _ data: Data) throws {
    if suite == "json.encode" {
      let value = try JSON.Decoder().decode(model, from: data)
      let encoder = Implementations.encoders(of: model).first { $0.name == implementation }
      guard let encoder else { throw BenchmarkError("no implementation is called \(implementation)") }
      for _ in 0..<iterations { _ = try encoder.encode(value) }
    } else {
      let decoder = Implementations.decoders(of: model).first { $0.name == implementation }
      guard let decoder else { throw BenchmarkError("no implementation is called \(implementation)") }
      for _ in 0..<iterations { _ = try decoder.decode(data) }
    }
  }
}
