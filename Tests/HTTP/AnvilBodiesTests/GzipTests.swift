import AnvilHTTP
import Foundation
import Testing

@testable import AnvilBodies

@Suite struct GzipTests {
  private func packed(_ data: Data) throws -> Data { try #require(HTTP.Body(data).gzipped().data) }

  @Test(arguments: [1, 100, 32_767, 32_768, 32_769, 65_536, 1_000_000]) func decompressesWhatWasCompressed(
    size: Int
  )
    throws
  {
    for data in [Data(count: size), Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })] {
      let packed = try packed(data)
      #expect(packed.decoded(from: ["gzip"], upTo: size) == data)
      #expect((packed + packed).decoded(from: ["gzip"], upTo: 2 * size) == data + data)
      #expect(packed.decoded(from: ["gzip"], upTo: size - 1) == nil)
      #expect(packed.dropLast().decoded(from: ["gzip"], upTo: size) == nil)
      #expect((packed + [1]).decoded(from: ["gzip"], upTo: size) == nil)
      #expect((Data([0]) + packed).dropFirst().decoded(from: ["gzip"], upTo: size) == data)
    }
  }

  @Test(arguments: [Data(), Data([0x1F]), Data([0x1F, 0x8B, 8, 0]), Data("text".utf8)])
  func otherBytesAreNotDecompressed(data: Data) {
    #expect(data.decoded(from: ["gzip"], upTo: 100) == nil)
  }
}
