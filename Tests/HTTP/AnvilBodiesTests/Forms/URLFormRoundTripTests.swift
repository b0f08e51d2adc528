import AnvilBase
import AnvilBodies
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

@Suite struct URLFormRoundTripTests {
  struct Model: Codable, Equatable {
    enum Kind: String, Codable, CaseIterable { case plain, spaced = "two words", none = "" }

    struct Flags: Codable, Equatable {
      var on: Bool?
      var counts: [String: UInt8]
    }

    var text: String
    var wide: Int128
    var ratio: Double
    var small: Float?
    var exact: Decimal
    var kind: Kind
    var moment: Date
    var bytes: Data
    var link: URL?
    var id: UUID
    var tags: [String]
    var rows: [[Int16]]
    var named: [String: [Bool]]
    var flags: Flags
    var children: [Model]
    var byNumber: [Int: String]
  }

  @Test(
    arguments: [URLForm.Encoder.ArrayStyle.brackets, .indices, .repeated], [JSON.DateFormat.iso8601, .secondsSince1970])
  func modelsSurviveARoundTrip(style: URLForm.Encoder.ArrayStyle, dates: JSON.DateFormat) throws {
    let encoder = URLForm.Encoder(arrays: style, bools: dates == .iso8601 ? .words : .digits, dates: dates)
    let decoder = URLForm.Decoder(dates: dates)
    var random = SeededGenerator(seed: 42)
    for _ in 0..<rounds(150) {
      let model = Self.model(depth: 2, &random)
      let data = try encoder.encode(model)
      #expect(data.allSatisfy { $0 < 0x80 })
      #expect(try decoder.decode(Model.self, from: data) == model)
    }
  }

  private static func model(depth: Int, _ random: inout SeededGenerator) -> Model {
    func array<Element>(_ minimum: Int = 0, _ element: () -> Element) -> [Element] {
      (0..<Int.random(in: minimum...minimum + 3, using: &random)).map { _ in element() }
    }
    func text() -> String {
      let alphabet = Array("abc 0&=+%[]äß→🎉e\u{301}\"\\\0\n;")
      return String(array { alphabet.randomElement(using: &random) ?? "x" })
    }
    func key() -> String { "k" + text().filter { $0 != "[" && $0 != "]" } }
    return Model(
      text: text(), wide: Int128.random(in: .min ... .max, using: &random),
      ratio: Double.random(in: -1e20...1e20, using: &random),
      small: Bool.random(using: &random) ? Float.random(in: -1...1, using: &random) : nil,
      exact: Decimal(Int64.random(in: .min ... .max, using: &random)) / 1000,
      kind: Model.Kind.allCases.randomElement(using: &random) ?? .plain,
      moment: Date(timeIntervalSince1970: Double(Int32.random(in: .min ... .max, using: &random)) / 8),
      bytes: Data(array { UInt8.random(in: 0...255, using: &random) }),
      link: Bool.random(using: &random) ? URL(string: "https://example.org/a?b=c&d=%20#e") : nil,
      id: UUID(),
      tags: array { text() },
      rows: array { array(1) { Int16.random(in: .min ... .max, using: &random) } },
      named: Dictionary(array { (key(), array(1) { Bool.random(using: &random) }) }) { first, _ in first },
      flags: Model.Flags(
        on: [true, false, nil].randomElement(using: &random) ?? nil,
        counts: Dictionary(array { (key(), UInt8.random(in: 0...255, using: &random)) }) { first, _ in first }),
      children: depth == 0 ? [] : array { model(depth: depth - 1, &random) },
      byNumber: Dictionary(array { (Int.random(in: -5...5, using: &random), text()) }) { first, _ in first })
  }
}
