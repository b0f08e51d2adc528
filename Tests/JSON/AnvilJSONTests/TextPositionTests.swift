import Foundation
import Testing

@testable import AnvilJSON

/// Compares counting and searching many bytes at once with examining one byte after another.
@Suite struct TextPositionTests {
  /// The line and the column of an offset, counted byte by byte.
  private struct PlainPosition {
    var line = 1
    var column = 1

    init(of offset: Int, in text: Data) {
      var previous: UInt8 = 0
      for byte in text.prefix(offset) {
        if byte == 0x0A || byte == 0x0D {
          if byte == 0x0D || previous != 0x0D { line += 1 }
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
        previous = byte
      }
    }
  }

  private func bytes(_ random: inout RandomSource, upTo limit: Int) -> Data {
    let pieces = [
      "\n", "\r", "\r\n", "a", "é", "日", "😀", "\"", "\\", "{", "}", "[", "]", " ", String(repeating: "x", count: 40),
    ]
    let text = random.some(upTo: limit) { $0.pick(pieces) }.joined()
    return Data(text.utf8)
  }

  @Test func positionsInPiecesAreThoseInTheWholeText() {
    var random = RandomSource(seed: 1)
    for _ in 0..<500 {
      let text = bytes(&random, upTo: 60)
      var position = TextPosition()
      var offset = 0
      while offset < text.count {
        let end = min(text.count, offset + random.below(50))
        // Within a chunk, with other bytes on both sides.
        position.advance(over: text.bytes, in: offset..<end)
        offset = end
        let expected = PlainPosition(of: offset, in: text)
        // If the split is within a scalar, both parts count it.
        #expect((position.offset, position.line, position.column) == (offset, expected.line, expected.column))
      }
    }
  }

  /// No counter may overflow.
  @Test(arguments: ["\n", "\r", "\r\n", "é", "a"])
  func countersDoNotOverflowInLongTexts(piece: String) {
    let text = Data(String(repeating: piece, count: 20_000).utf8)
    var position = TextPosition()
    position.advance(over: text.bytes, in: 0..<text.count)
    let expected = PlainPosition(of: text.count, in: text)
    #expect((position.line, position.column) == (expected.line, expected.column))
  }

  @Test func structuralBytesAreFoundAtTheirOffsets() {
    var random = RandomSource(seed: 2)
    for _ in 0..<300 {
      let text =
        Array(bytes(&random, upTo: 40)) + (0..<random.below(70)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let offset = random.below(text.count + 1)
      let lanes = Data(text).bytes.structureLanes(at: offset)
      func expected(_ bytes: String) -> UInt64 {
        text[offset...].prefix(64).enumerated().reduce(0) { bits, byte in
          bytes.utf8.contains(byte.element) ? bits | 1 << UInt64(byte.offset) : bits
        }
      }
      #expect(lanes.quotationMarks == expected("\""))
      #expect(lanes.backslashes == expected("\\"))
      #expect(lanes.openings == expected("[{"))
      #expect(lanes.closings == expected("]}"))
    }
  }
}
