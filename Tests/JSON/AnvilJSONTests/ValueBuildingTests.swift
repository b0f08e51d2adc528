import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

@Suite struct ValueBuildingTests {
  @Test func literalsBecomeJSONValues() {
    let json: JSON = ["a": [1, 2.5, nil, -0.0], "b": true, "a": "x", "é\n": ["": [:]], "n": []]
    #expect(json.description == #"{"a":[1,2.5,null,-0],"b":true,"a":"x","é\n":{"":{}},"n":[]}"#)
  }

  @Test func nilIsNullAndMissingIsNil() {
    let json: JSON = ["null": nil]
    let null: JSON = nil
    #expect(null == nil && null.isNull && json != nil)
    #expect(null == .null && json["null"] == .null && json["missing"] != .null && json == ["null": .null])
    #expect(json["null"] != nil && json["missing"] == nil)
  }

  @Test func nonFiniteNumbersBecomeNull() {
    let json: JSON = [JSON(Double.nan), JSON(Double.infinity), JSON(-Double.infinity), JSON(Decimal.nan)]
    #expect(json.description == "[null,null,null,null]")
  }

  @Test(
    arguments: [
      (1.0, "1"), (-1, "-1"), (0.1, "0.1"), (-0.0, "-0"), (0, "0"), (1e15, "1000000000000000"),
      (1e18, "1000000000000000000"), (1e19, "10000000000000000000"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
      (1e-6, "0.000001"), (1e-7, "1e-7"), (1.5e300, "1.5e+300"), (.leastNonzeroMagnitude, "5e-324"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (576_460_752_303_423_488, "576460752303423500"),
      (-576_460_752_303_423_488, "-576460752303423488"),
    ] as [(Double, String)])
  func doublesAreWrittenWithTheirShortestText(double: Double, text: String) {
    #expect(JSON(double).description == text)
    #expect(JSON(double).double?.bitPattern == double.bitPattern)
  }

  @Test func integersKeepEveryDigit() {
    #expect(JSON(Int.min).description == "-9223372036854775808" && JSON(Int.min).int == .min)
    #expect(JSON(UInt64.max).integer(as: UInt64.self) == .max)
    #expect(JSON(Int128.min).integer(as: Int128.self) == .min)
    #expect(JSON(UInt128.max).description == "340282366920938463463374607431768211455")
    #expect(JSON(UInt8(7)).int == 7)
    #expect(JSON(Decimal(string: "-123.4500") ?? 0).decimal == Decimal(string: "-123.45"))
  }

  @Test func valuesCanBeBuiltFromMembersAndElements() throws {
    let json = try JSON(parsing: #"{"b": [1, {"c": "d"}], "a": 1e400, "b": null}"#)
    #expect(JSON(json.members).description == json.description)
    let list = try #require(json["b"])
    #expect(JSON(list.elements).description == "[1,{\"c\":\"d\"}]")
    #expect(JSON(["k": 1] as [String: JSON])["k"] == 1)
  }

  @Test func interpolatedStringsAreStrings() {
    let name = "x"
    let json: JSON = ["\(name)1": "a \(name)"]
    #expect(json["x1"]?.string == "a x")
  }

  /// The built tape is identical to the parser's.
  @Test func builtDocumentsAreAsParsedOnes() throws {
    var generator = ValueGenerator(seed: 2)
    for _ in 0..<rounds(500) {
      let parsed = try generator.value()
      let built = rebuild(parsed)
      let again = try JSON(parsing: parsed.serialized())
      for json in [built, parsed.compactCopy()] {
        expectSameWords(json.document, again.document)
      }
    }
  }

  private func rebuild(_ json: JSON) -> JSON {
    switch json.kind {
    case .null: nil
    case .bool: JSON(json.bool == true)
    case .string: JSON(json.string ?? "")
    case .number: JSON { $0.appendNumber(json.numberText ?? "") }
    case .array: JSON(json.elements.map(rebuild))
    case .object: JSON(json.members.map { (key: $0.key, value: rebuild($0.value)) })
    }
  }

  /// Offsets differ. The texts at the offsets and everything else are the same.
  private func expectSameWords(_ left: Document, _ right: Document) {
    #expect(left.wordCount == right.wordCount)
    var index = 0
    while index < min(left.wordCount, right.wordCount) {
      let (word, other) = (left.tape[index], right.tape[index])
      let hasText = word.isString || word.isNumber && !word.is(.integer)
      #expect(hasText ? word.bits & 0xFFFF_FFFF == other.bits & 0xFFFF_FFFF : word == other)
      if word.isString { #expect(left.stringsAreEqual(at: index, and: index, of: right)) }
      if word.isNumber { #expect(left.numberText(at: index) == right.numberText(at: index)) }
      if !word.isContainer, word.span == 2 { #expect(left.tape[index + 1] == right.tape[index + 1]) }
      index += word.isContainer ? 1 : word.span
    }
  }

  @Test func builtNumbersHaveTheKindsOfParsedOnes() throws {
    let doubles: [Double] = [
      0, -0.0, 1, 0.5, 1e17, 5e17, 576_460_752_303_423_488, 1e18, 9.3e18, 1.8e19, 2e19, 1e20, 1e21, -1e18, -9.3e18,
      1e-7,
    ]
    for double in doubles {
      let built = JSON(double)
      let parsed = try JSON(parsing: built.description)
      #expect(built.document.wordCount == parsed.document.wordCount, "\(double)")
      for index in 0..<parsed.document.wordCount { #expect(built.document.tape[index] == parsed.document.tape[index]) }
    }
  }

  @Test func compactCopyContainsOnlyTheValue() throws {
    let filler = String(repeating: "x", count: 10_000)
    let json = try JSON(parsing: #"{"filler": "\#(filler)", "part": {"n": [1.50, "é", 12345678901234567890]}}"#)
    let part = try #require(json["part"])
    let copy = part.compactCopy()
    #expect(copy == part && copy.description == #"{"n":[1.50,"é",12345678901234567890]}"#)
    #expect(copy.root.index == copy.index && copy.stepsFromRoot.isEmpty)
    #expect(copy.document.bytes.count < 40 && copy.document.wordCount == part.word.span)
  }

  @Test func builderStopsAtItsLimit() {
    var builder = DocumentBuilder(sizeLimit: 100)
    builder.beginArray()
    for _ in 0..<1000 { builder.append("0123456789") }
    builder.endContainer()
    #expect(builder.isTooLarge)
    #expect(throws: DocumentBuilder.TooLarge.self) { _ = try builder.finish() }
  }

  @Test func longStringsAreStoredAndCopied() throws {
    let text = String(repeating: "0123456789abcde\n", count: 1 << 22)
    #expect(text.utf8.count > TapeWord.longestLength)
    let json: JSON = [JSON(text), 1]
    #expect(json.document.tape[1].is(.longString) && json[1] == 1 && json[0]?.string == text)
    let copy = json.compactCopy()
    #expect(copy == json && copy[0]?.string?.utf8.count == text.utf8.count)
    #expect(try JSON(parsing: json.serialized()) == json)
  }
}
