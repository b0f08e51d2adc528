import Anvil
import Foundation

/// What is done with a response.
enum Consumer: String, CaseIterable {
  /// Reads the body's chunks as fast as they come.
  case chunks
  /// Reads them with a pause after each: what the network is faster than.
  case slowChunks = "slow-chunks"
  /// Decodes the array's elements as they arrive.
  case elements
  /// Collects the body and decodes the array as a whole.
  case array
  /// The same with Foundation's decoder.
  case foundationArray = "foundation-array"

  /// Takes all of `body` and returns how many bytes or records that was.
  func consume(_ body: HTTP.Body) async throws -> Int {
    var count = 0
    switch self {
    case .chunks:
      for try await chunk in body { count += chunk.count }
    case .slowChunks:
      for try await chunk in body {
        count += chunk.count
        try await Task.sleep(for: .milliseconds(1))
      }
    case .elements:
      for try await record in body.elements(of: Record.self) where record.id > 0 { count += 1 }
    case .array:
      count = try JSON.Decoder().decode([Record].self, from: await body.collect()).count
    case .foundationArray:
      count = try JSONDecoder().decode([Record].self, from: await body.collect()).count
    }
    return count
  }

  var unit: String {
    switch self {
    case .chunks, .slowChunks: "bytes"
    case .elements, .array, .foundationArray: "records"
    }
  }
}

/// What ``RecordArray`` is an array of.
struct Record: Decodable, Sendable {
  struct Owner: Decodable, Sendable {
    var id: Int
    var login: String
  }

  var id: Int
  var name: String
  var isPrivate: Bool
  var score: Double
  var stars: Int
  var language: String?
  var owner: Owner
  var topics: [String]
}
