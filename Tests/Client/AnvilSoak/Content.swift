import AnvilBase
import Foundation

/// The contents of resources, so that the client can check each byte.
enum Content {
  /// The text of a version of an entity.
  static func text(_ id: Int, _ version: Int) -> String { "text of \(id) in version \(version)" }

  /// Returns `count` bytes that depend on `seed` and differ in each block of some hundred bytes.
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

  /// A checksum for comparing the bytes of an upload.
  static func checksum(_ data: Data) -> UInt64 { FNV1a(data).value }
}
