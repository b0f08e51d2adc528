import Foundation
import Testing

@testable import AnvilBodies

@Suite struct ByteSearchTests {
  /// Compared with a search byte by byte.
  @Test func findsTheOffsetOfAByte() {
    let bytes = Data([0, 1, 2, 1, 255, 0])
    for data in [bytes, bytes.dropFirst(2), bytes.dropLast(3), bytes.dropFirst(6), Data()] {
      for byte in [0, 1, 2, 3, 255] as [UInt8] {
        for offset in 0...data.count {
          let expected = data.dropFirst(offset).firstIndex(of: byte).map { $0 - data.startIndex }
          #expect(data.offset(of: byte, from: offset) == expected)
        }
      }
    }
  }
}
