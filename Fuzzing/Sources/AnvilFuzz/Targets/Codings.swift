@testable import AnvilClient
@testable import AnvilCurl

extension FuzzTarget {
  private static let chains = [
    ["gzip"], ["deflate"], ["br"], ["zstd"], ["gzip", "gzip"], ["deflate", "br"], ["zstd", "gzip"],
  ]
  private static let sizeLimit = 1 << 20

  /// Compressed bodies: the first byte chooses the codings, the rest is the body, however it is cut.
  static let codings = FuzzTarget(name: "codings", repeated: Repetition(choiceCount: 1)) { bytes in
    guard let first = bytes.first else { return }
    let names = chains[Int(first) % chains.count]
    let body = Array(bytes.dropFirst())
    let whole = decode(body, names, size: max(body.count, 1), room: 16 << 10)
    for (size, room) in [(1, 64), (7, 16 << 10)] {
      let found = decode(body, names, size: size, room: room)
      require(found == whole, "cut in \(size) \(found?.count ?? -1) bytes of \(whole?.count ?? -1)")
    }
  } growth: { bytes in
    guard let first = bytes.first else { return }
    _ = decode(Array(bytes.dropFirst()), chains[Int(first) % chains.count], size: 1_000, room: 16 << 10)
  }

  /// Returns `body` without its codings; `nil` if it is rejected or incomplete.
  private static func decode(_ body: [UInt8], _ names: [String], size: Int, room: Int) -> [UInt8]? {
    guard let decoder = BodyDecoder(names, limits: .init(size: sizeLimit, ratio: 1 << 40)) else { return nil }
    var output: [UInt8] = []
    var step = [UInt8](repeating: 0, count: room)
    for start in stride(from: 0, to: body.count, by: size) {
      unsafe decoder.append(body[start..<min(start + size, body.count)].span.bytes)
      while true {
        let count = unsafe step.withUnsafeMutableBytes { room in unsafe try? decoder.read(into: room) }
        guard let count else { return nil }
        if count == 0 { break }
        output += step[..<count]
        require(output.count <= sizeLimit + room, "\(output.count) bytes")
      }
    }
    return decoder.isAtEnd ? output : nil
  }
}
