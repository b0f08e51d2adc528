import Foundation
import Testing

@testable import AnvilJSON

/// Memory of parsed texts is reused. A value that is still in use is never overwritten by the next text.
@Suite struct BufferPoolTests {
  /// An array of `count` objects that contain `seed`. Its memory grows in steps with `count`.
  private func text(_ count: Int, _ seed: Int) -> String {
    "[" + (0..<count).map { #"{"n":\#(seed),"s":"\#(seed)-\#($0)","a":[\#($0),null]}"# }.joined(separator: ",") + "]"
  }

  private func holds(_ json: JSON, _ count: Int, _ seed: Int) -> Bool {
    json.count == count
      && json.elements.enumerated().allSatisfy { index, element in
        element["n"]?.int == seed && element["s"]?.string == "\(seed)-\(index)"
          && element["a"]?[0]?.int == index
      }
  }

  @Test func laterParsingDoesNotChangeExistingValues() throws {
    let sizes = [1, 3, 400, 40, 5_000, 2, 30_000, 1]
    let kept = try sizes.enumerated().map { seed, count in try JSON(parsing: text(count, seed)) }
    for (seed, count) in sizes.enumerated() { #expect(holds(kept[seed], count, seed)) }
  }

  @Test func laterDecodingDoesNotChangeExistingDecoders() throws {
    struct Kept: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) { self.decoder = decoder }
    }
    let decoder = JSON.Decoder()
    let kept = try (0..<50).map { try decoder.decode(Kept.self, from: Data("[\($0), \"\($0)\"]".utf8)) }
    for (number, kept) in kept.enumerated() {
      var container = try kept.decoder.unkeyedContainer()
      #expect(try container.decode(Int.self) == number)
      #expect(try container.decode(String.self) == "\(number)")
    }
  }

  @Test func invalidTextsDoNotAffectOtherValues() throws {
    let kept = try JSON(parsing: text(100, 7))
    for end in 0..<200 {
      #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: String(text(20, 3).prefix(end))) }
      #expect(holds(try JSON(parsing: text(5, end)), 5, end))
    }
    #expect(holds(kept, 100, 7))
  }

  @Test func concurrentParsingDoesNotShareMemory() async {
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<100).allSatisfy { round in
            let count = (task * 37 + round * 101) % 700 + 1
            guard let json = try? JSON(parsing: text(count, round)) else { return false }
            return holds(json, count, round)
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
