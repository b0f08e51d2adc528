import AnvilJSON
import Foundation

/// Decoding typed models by Foundation and by Anvil; the results are freed within the measurement.
struct JSONSuite {
  var corpora: URL
  var rounds: Int

  func run() throws -> [Measurement] {
    var measurements: [Measurement] = []
    measurements += try decode(Twitter.Root.self, "twitter")
    measurements += try decode(CitmCatalog.Root.self, "citm_catalog")
    measurements += try decode(Canada.Root.self, "canada")
    measurements += try decode(GitHubEvents.Root.self, "github_events")
    measurements += try decode(SmallObject.self, "500 bytes", SmallObject.json)
    return measurements
  }

  private func decode<Model: Decodable>(_ model: Model.Type, _ name: String) throws -> [Measurement] {
    let file = corpora.appending(path: "bench/\(name).json")
    guard let data = try? Data(contentsOf: file) else {
      FileHandle.standardError.write(Data("\(name): not found at \(file.path()), left out\n".utf8))
      return []
    }
    return try decode(model, name, data)
  }

  private func decode<Model: Decodable>(_ model: Model.Type, _ name: String, _ data: Data) throws -> [Measurement] {
    let foundation = JSONDecoder()
    let anvil = JSON.Decoder()
    return try measure(
      suite: "json.decode", test: name, bytes: data.count, rounds: rounds,
      contenders: [
        Contender(implementation: "Foundation JSONDecoder") { _ = try foundation.decode(model, from: data) },
        Contender(implementation: "Anvil JSON.Decoder") { _ = try anvil.decode(model, from: data) },
        Contender(implementation: "Anvil parse to JSON") { _ = try JSON(parsing: data) },
      ])
  }
}
