import AnvilJSON
import Foundation

/// Decoding and encoding typed models by Foundation and by Anvil; the results are freed within the measurement.
struct JSONSuite {
  var corpora: URL
  var rounds: Int

  func run() throws -> [Measurement] {
    var measurements: [Measurement] = []
    measurements += try compare(Twitter.Root.self, "twitter")
    measurements += try compare(CitmCatalog.Root.self, "citm_catalog")
    measurements += try compare(Canada.Root.self, "canada")
    measurements += try compare(GitHubEvents.Root.self, "github_events")
    measurements += try compare(SmallObject.self, "500 bytes", SmallObject.json)
    return measurements
  }

  private func compare<Model: Codable>(_ model: Model.Type, _ name: String) throws -> [Measurement] {
    let file = corpora.appending(path: "bench/\(name).json")
    guard let data = try? Data(contentsOf: file) else {
      FileHandle.standardError.write(Data("\(name): not found at \(file.path()), left out\n".utf8))
      return []
    }
    return try compare(model, name, data)
  }

  private func compare<Model: Codable>(_ model: Model.Type, _ name: String, _ data: Data) throws -> [Measurement] {
    try decode(model, name, data) + encode(JSONDecoder().decode(model, from: data), name)
  }

  private func encode<Model: Encodable>(_ value: Model, _ name: String) throws -> [Measurement] {
    let foundation = JSONEncoder()
    let anvil = JSON.Encoder()
    let bytes = try foundation.encode(value).count
    return try measure(
      suite: "json.encode", test: name, bytes: bytes, rounds: rounds,
      contenders: [
        Contender(implementation: "Foundation JSONEncoder") { _ = try foundation.encode(value) },
        Contender(implementation: "Anvil JSON.Encoder") { _ = try anvil.encode(value) },
      ])
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
