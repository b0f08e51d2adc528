import Anvil
import Foundation

/// An operation on a response.
enum Consumer: String, CaseIterable {
  /// Reads the body's chunks as they arrive.
  case chunks
  /// Reads the chunks more slowly than the network delivers them, with a pause after each.
  case slowChunks = "slow-chunks"
  /// Decodes the array's elements as they arrive.
  case elements
  /// Collects the body and decodes the array as a whole.
  case array
  /// Collects the body and decodes the array with Foundation's decoder.
  case foundationArray = "foundation-array"

  /// Consumes all of `body` and returns the number of bytes or records.
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

/// An element of ``RecordArray``.
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
