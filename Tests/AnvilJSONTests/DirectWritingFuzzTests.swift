import Foundation
import Testing

@testable import AnvilJSON

/// Random models, written directly: they are what `JSON.Encoder` makes of them, and come back.
@Suite struct DirectWritingFuzzTests {
  struct Model: Codable, Equatable, JSONWritable {
    enum Kind: String, Codable, CaseIterable, JSONWritable { case plain, slashed = "a/b", quoted = "\"q\"" }

    var bool: Bool
    var int: Int
    var small: Int8
    var unsigned: UInt64
    var large: Int128
    var double: Double
    var float: Float
    var text: String
    var absent: String?
    var kind: Kind
    var decimal: Decimal
    var uuid: UUID
    var url: URL
    var data: Data
    var doubles: [Double]
    var names: [String: [Int]]
    var options: [String?]
    var children: [Model]

    func write(to writer: inout JSON.Writer) {
      writer.object { members in
        members.write("bool", bool)
        members.write("int", int)
        members.write("small", small)
        members.write("unsigned", unsigned)
        members.write("large", large)
        members.write("double", double)
        members.write("float", float)
        members.write("text", text)
        members.write("absent", ifPresent: absent)
        members.write("kind", kind)
        members.write("decimal", decimal)
        members.write("uuid", uuid)
        members.write("url", url)
        members.write("data", data)
        members.write("doubles", doubles)
        members.write("names", names)
        members.write("options", options)
        members.write("children", children)
      }
    }

    init(_ random: inout RandomSource, depth: Int = 0) {
      bool = Bool.random(using: &random)
      int = Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0..<64, using: &random)
      small = Int8.random(in: .min ... .max, using: &random)
      unsigned = random.next() >> UInt64.random(in: 0..<64, using: &random)
      large = Int128.random(in: .min ... .max, using: &random) >> Int128.random(in: 0..<128, using: &random)
      double = Self.double(&random)
      let bits = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      float = bits.isFinite ? bits : 0.5
      text = Self.text(&random)
      absent = Bool.random(using: &random) ? Self.text(&random) : nil
      kind = Kind.allCases.randomElement(using: &random) ?? .plain
      decimal = Decimal(sign: .minus, exponent: Int.random(in: -20...5, using: &random), significand: Decimal(int))
      uuid = UUID(
        uuid: (
          1, 2, 0xFF, 0xA0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(truncatingIfNeeded: random.next())
        ))
      url = URL(filePath: "/x/\(int)")
      data = Data((0..<Int.random(in: 0...40, using: &random)).map { UInt8(truncatingIfNeeded: $0 &* 37) })
      doubles = (0..<Int.random(in: 0...5, using: &random)).map { _ in Self.double(&random) }
      names = [:]
      for number in 0..<Int.random(in: 0...4, using: &random) { names[Self.text(&random)] = Array(0..<number) }
      options = (0..<Int.random(in: 0...3, using: &random)).map { $0 == 1 ? nil : "\($0)" }
      children = []
      if depth < 3 {
        for _ in 0..<Int.random(in: 0...2, using: &random) { children.append(Model(&random, depth: depth + 1)) }
      }
    }

    private static func double(_ random: inout RandomSource) -> Double {
      switch Int.random(in: 0...3, using: &random) {
      case 0: Double(Int.random(in: -100_000...100_000, using: &random)) / 100
      case 1: Double.random(in: -180...180, using: &random)
      case 2: Double(Int.random(in: -100_000...100_000, using: &random))
      default:
        if case let double = Double(bitPattern: random.next()), double.isFinite { double } else { 0 }
      }
    }

    private static func text(_ random: inout RandomSource) -> String {
      let alphabet: [Unicode.Scalar] = [
        "a", "z", " ", "/", "\\", "\"", "\n", "\u{0}", "\u{1F}", "\u{7F}", "é", "€", "😀",
      ]
      var text = String.UnicodeScalarView()
      let plain = Bool.random(using: &random)
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        text.append(plain ? "x" : alphabet.randomElement(using: &random) ?? "a")
      }
      return String(text)
    }
  }

  @Test func modelsAreWrittenAsTheEncoderDoesAndComeBack() throws {
    var random = RandomSource(seed: 41)
    let encoder = JSON.Encoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    for _ in 0..<400 {
      let model = Model(&random)
      let data = try JSON.write(model)
      #expect(try JSON(parsing: data) == JSON(parsing: encoder.encode(model)))
      #expect(try data.count == encoder.encode(model).count)
      #expect(try JSON.Decoder().decode(Model.self, from: data) == model)
    }
  }

  @Test func parsedDocumentsAreWrittenAsTheySerialize() throws {
    var random = RandomSource(seed: 42)
    for _ in 0..<300 {
      let value = try JSON(parsing: JSON.write(Model(&random)))
      #expect(try JSON.write(value) == value.serializedData())
      #expect(try JSON(parsing: JSON.write([value])).elements.first == value)
    }
  }
}
