import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

private struct Order: Codable, Hashable {
  @NumberOrString var id: Int
  @NumberOrString var total: Decimal
  @NumberOrString var rate: Double
  @NumberOrString var discount: Int?
}

@Suite struct NumberOrStringTests {
  @Test(arguments: AnyDecoder.withNull) func numbersInStringsAreReadAndReported(_ decoder: AnyDecoder) throws {
    let (order, report) = try decoder.decode(
      Order.self, #"{"id": "12", "total": "0.10", "rate": "-2.5e-3", "discount": "7"}"#)
    #expect(order == Order(id: 12, total: Decimal(string: "0.1") ?? 0, rate: -0.0025, discount: 7))
    #expect(
      report.description == """
        lossy.number-from-string at id: Int
        lossy.number-from-string at total: Decimal
        lossy.number-from-string at rate: Double
        lossy.number-from-string at discount: Int?
        """)
    #expect(report.entries.first?.detailedDescription == #"lossy.number-from-string at id: Int ("12")"#)
  }

  @Test(arguments: AnyDecoder.withNull) func numbersAreReadWithoutAReport(_ decoder: AnyDecoder) throws {
    let (order, report) = try decoder.decode(Order.self, #"{"id": 12, "total": 0.5, "rate": 2, "discount": null}"#)
    #expect(order == Order(id: 12, total: 0.5, rate: 2, discount: nil))
    #expect(report.isEmpty)
    #expect(try decoder.decode(Order.self, #"{"id": 1, "total": 1, "rate": 1}"#).value.discount == nil)
  }

  @Test(arguments: AnyDecoder.allCases) func numbersInStringsAreReadByEveryDecoder(_ decoder: AnyDecoder) throws {
    let (numbers, report) = try decoder.decode([NumberOrString<Int>].self, #"[1, "2", "-3", "-0", "0"]"#)
    #expect(numbers == [1, 2, -3, 0, 0])
    #expect(report.entries.map(\.path) == [[1], [2], [3], [4]])
    #expect(report.entries.allSatisfy { $0.code == .numberFromString })
  }

  static let noIntegers = [
    "", " ", " 12", "12 ", "12abc", "1e3", "1.0", "0x1f", "NaN", "Infinity", "+1", "-", "--1", "007", "-01", "1_000",
    "1,000",
    "٣", "１", "9223372036854775808", "-9223372036854775809", "null", "true",
  ]

  @Test(arguments: AnyDecoder.allCases, noIntegers) func otherStringsAreNoIntegers(
    _ decoder: AnyDecoder, _ text: String
  ) throws {
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([NumberOrString<Int>].self, #"["1", "\#(text)"]"#)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.intValue) == [1])
  }

  @Test(
    arguments: AnyDecoder.withNull,
    ["", ".5", "5.", "1e", "e5", "1e+", "0x1p3", "nan", "inf", "-inf", "1e400", "01.5", "1 "])
  func otherStringsAreNoDoubles(_ decoder: AnyDecoder, _ text: String) {
    #expect(throws: DecodingError.self) { try decoder.decode(NumberOrString<Double>.self, "\"\(text)\"") }
  }

  @Test func errorsDescribeTheInvalidString() throws {
    func problem<Number: StringReadableNumber>(_ type: Number.Type, _ json: String) -> String? {
      let error = #expect(throws: DecodingError.self) {
        try AnyDecoder.anvil.decode([NumberOrString<Number>].self, json)
      }
      guard case .dataCorrupted(let context) = error else { return nil }
      return context.debugDescription
    }
    #expect(problem(Int.self, #"["12abc"]"#) == #"Expected Int, found the string "12abc"."#)
    #expect(problem(Int8.self, #"["300"]"#) == #"The number in the string "300" does not fit Int8."#)
    #expect(problem(UInt.self, #"["-1"]"#) == #"The number in the string "-1" does not fit UInt."#)
    #expect(problem(Int.self, #"["1e3"]"#) == #"The number in the string "1e3" does not fit Int."#)
    #expect(problem(Float.self, #"["1e39"]"#) == #"The number in the string "1e39" does not fit Float."#)
    #expect(problem(Decimal.self, #"["1e999"]"#) == #"The number in the string "1e999" does not fit Decimal."#)
    #expect(problem(Double.self, #"["NaN"]"#) == #"Expected Double, found the string "NaN"."#)
    let long = String(repeating: "1", count: 5000)
    #expect(
      problem(Double.self, "[\"\(long)\"]")
        == "Expected Double, found the string \"\(String(repeating: "1", count: 40))…\".")
  }

  @Test(arguments: AnyDecoder.withNull) func otherValuesThrowTheDecodersError(_ decoder: AnyDecoder) throws {
    for json in ["[true]", "[[]]", "[null]", "[1.5]"] {
      let ours = #expect(throws: DecodingError.self) { try decoder.decode([NumberOrString<Int>].self, json) }
      let plain = #expect(throws: DecodingError.self) { try decoder.decode([Int].self, json) }
      #expect(String(describing: ours) == String(describing: plain))
    }
  }

  private struct Switches: Codable, Hashable {
    @NumberOrString var a: Bool
    @NumberOrString var b: Bool?
  }

  @Test(
    arguments: AnyDecoder.withNull,
    [
      (#"{"a": true}"#, true, nil), (#"{"a": 1, "b": 0}"#, true, false), (#"{"a": "true", "b": "false"}"#, true, false),
      (#"{"a": "0", "b": "1"}"#, false, true), (#"{"a": false, "b": null}"#, false, nil),
    ] as [(String, Bool, Bool?)])
  func booleansMayBeNumbersAndStrings(_ decoder: AnyDecoder, _ sample: (text: String, a: Bool, b: Bool?)) throws {
    let (text, a, b) = sample
    let (switches, report) = try decoder.decode(Switches.self, text)
    #expect(switches == Switches(a: a, b: b))
    let isPlain = text.contains("\"a\": true") || text.contains("\"a\": false")
    #expect(report.isEmpty == isPlain)
    #expect(String(decoding: try JSON.write(NumberOrString(wrappedValue: a)), as: UTF8.self) == "\(a)")
    let json = try JSON(parsing: text)
    #expect(try (json => "a" as NumberOrString<Bool>).wrappedValue == a)
    #expect(try JSON.read(NumberOrString<Bool>.self, from: json["a"]?.serializedText() ?? "").wrappedValue == a)
  }

  @Test(arguments: ["2", "-1", "0.5", "\"yes\"", "\"TRUE\"", "\"\"", "[]", "1e400"])
  func otherValuesAreNoBooleans(text: String) {
    for decoder in AnyDecoder.withNull {
      #expect(throws: DecodingError.self) { try decoder.decode([NumberOrString<Bool>].self, "[\(text)]") }
    }
    #expect(throws: JSON.ReadingError.self) { try JSON.read(NumberOrString<Bool>.self, from: text) }
    #expect(throws: (any Error).self) {
      try JSON(parsing: "[\(text)]") => 0 as NumberOrString<Bool>
    }
  }

  @Test func widestIntegersFit() throws {
    let (signed, _) = try AnyDecoder.anvil.decode(
      [NumberOrString<Int128>].self,
      #"["170141183460469231731687303715884105727", "-170141183460469231731687303715884105728"]"#)
    #expect(signed.map(\.wrappedValue) == [.max, .min])
    let (unsigned, _) = try AnyDecoder.anvil.decode(NumberOrString<UInt64>.self, #""18446744073709551615""#)
    #expect(unsigned.wrappedValue == .max)
  }

  @Test func strategiesForNonFiniteNumbersApply() throws {
    let decoder = JSON.Decoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let data = Data(#"["inf", "1.5"]"#.utf8)
    #expect(try decoder.decode([NumberOrString<Double>].self, from: data).map(\.wrappedValue) == [.infinity, 1.5])
  }

  @Test(arguments: AnyDecoder.allCases) func lossyArraysSkipInvalidNumbers(_ decoder: AnyDecoder) throws {
    let (numbers, report) = try decoder.decode(LossyArray<NumberOrString<Int>>.self, #"["1", 2, "x", []]"#)
    #expect(numbers == [1, 2])
    #expect(
      report.description.hasPrefix(
        """
        lossy.number-from-string at [0]: Int
        lossy.skipped-element at [2]: invalid value
        lossy.skipped-element at [3]: expected 
        """))
  }

  @Test func encodesAsANumber() throws {
    let order = Order(id: 1, total: 2, rate: 3, discount: nil)
    let data = try JSON.Encoder().encode(order)
    #expect(String(decoding: data, as: UTF8.self) == #"{"id":1,"total":2,"rate":3}"#)
    #expect(try JSON.Decoder().decode(Order.self, from: data) == order)
  }
}
