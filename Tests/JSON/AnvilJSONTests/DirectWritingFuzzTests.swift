import Foundation
import Testing

@testable import AnvilJSON

/// Random models, written directly. The text is that of `JSON.Encoder` and can be read back.
@Suite struct DirectWritingFuzzTests {
  /// Property types that the writable differential models lack.
  struct Others: DifferentialModel, JSONWritable {
    enum Kind: String, Codable, CaseIterable, JSONWritable { case plain, slashed = "a/b", quoted = "\"q\"" }

    var kind: Kind
    var decimal: Decimal
    var uuid: UUID
    var url: URL
    var data: Data

    func write(to writer: inout JSON.Writer) {
      writer.object { members in
        members.write("kind", kind)
        members.write("decimal", decimal)
        members.write("uuid", uuid)
        members.write("url", url)
        members.write("data", data)
      }
    }

    init(sample random: inout RandomSource) {
      kind = random.pick(Kind.allCases)
      let significand: Int = random.integer()
      decimal = Decimal(sign: .minus, exponent: random.below(26) - 20, significand: Decimal(significand))
      let last = UInt8(truncatingIfNeeded: random.next())
      uuid = UUID(uuid: (1, 2, 0xFF, 0xA0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, last))
      url = URL(filePath: "/x/\(significand)")
      data = Data((0..<random.below(41)).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    }
  }

  private func expectWrittenAsEncoded<Model: DifferentialModel & JSONWritable>(_ type: Model.Type) throws {
    var random = RandomSource(seed: 41)
    let encoder = JSON.Encoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    for _ in 0..<200 {
      let model = Model(sample: &random)
      let data = try JSON.write(model)
      let encoded = try encoder.encode(model)
      #expect(try JSON(parsing: data) == JSON(parsing: encoded))
      #expect(data.count == encoded.count)
      #expect(try JSON.Decoder().decode(type, from: data) == model)
    }
  }

  @Test func modelsAreWrittenAsByTheEncoderAndRoundTrip() throws {
    try expectWrittenAsEncoded(Others.self)
    try expectWrittenAsEncoded(Scalars.self)
    try expectWrittenAsEncoded(Optionals.self)
    try expectWrittenAsEncoded(Nested.self)
    try expectWrittenAsEncoded(Branch.self)
  }

  @Test func writingAndSerializingADocumentGiveTheSameText() throws {
    var random = RandomSource(seed: 42)
    for _ in 0..<300 {
      let value = try JSON(parsing: JSON.write([Nested](sample: &random)))
      #expect(try JSON.write(value) == value.serializedData())
      #expect(try JSON(parsing: JSON.write([value])).elements.first == value)
    }
  }
}
