import Testing

@testable import AnvilJSON

/// The tape has room for every text, complete or not. `TapeMemory` asserts every index.
@Suite struct TapeCapacityTests {
  /// Texts with many words on the tape for few bytes, truncated at every place.
  @Test(arguments: [
    "[", "[-0", "[-0,", "-0,", "[0,", "[1.0,", "[[],", "{\"\":", "{\"\":[", "{\"\":-0,\"\":{", "[{\"\":[-0,[", "[-0],",
  ])
  func unfinishedTextsFit(unit: String) {
    for prefix in ["", "[", "[-0,"] {
      for count in [1, 2, 5, 11, 12, 13, 100, 300, 511, 512, 513, 2000] {
        let text = prefix + String(repeating: unit, count: count)
        #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }
        #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text, options: .init(depthLimit: .max)) }
        #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text, options: .init(depthLimit: 3)) }
        #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text, options: .init(depthLimit: -1)) }
      }
    }
  }

  @Test(arguments: [1, 2, 7, 8, 9, 10, 11, 12, 13, 100, 1000, 10_000])
  func manyNegativeZerosFit(count: Int) throws {
    let json = try JSON(parsing: "[" + repeatElement("-0", count: count).joined(separator: ",") + "]")
    #expect(json.count == count)
    #expect(json.document.wordCount == 2 * count + 1)
    #expect(json.elements.allSatisfy { $0.double?.sign == .minus })
  }

  @Test(arguments: [1, 2, 511, 512, 10_000, 100_000])
  func deepTextsFit(depth: Int) throws {
    let text = String(repeating: "[", count: depth) + "-0" + String(repeating: "]", count: depth)
    let json = try JSON(parsing: text, options: .init(depthLimit: depth))
    #expect(json.document.wordCount == depth + 2)
  }
}
