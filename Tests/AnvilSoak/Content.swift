import AnvilPlatform
import Foundation

/// What the server sends for a resource, so that the client can check each byte of it.
enum Content {
  /// The text of a version of an entity.
  static func text(_ id: Int, _ version: Int) -> String { "text of \(id) in version \(version)" }

  /// `count` bytes that differ by `seed`, and in each block of some hundred bytes.
  static func bytes(seed: Int, count: Int) -> Data {
    var data = Data(capacity: count)
    var block = 0
    while data.count < count {
      let line = Data("\(seed):\(block);\(filler)".utf8)
      data += line.prefix(count - data.count)
      block += 1
    }
    return data
  }

  private static let filler = String(repeating: "0123456789abcdef", count: 32)

  /// A checksum by which the bytes of an upload are compared.
  static func checksum(_ data: Data) -> UInt64 { FNV1a(data).value }
}
