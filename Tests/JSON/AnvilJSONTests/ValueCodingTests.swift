import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

/// `JSON` as a `Codable` type.
@Suite struct ValueCodingTests {
  private struct Event: Codable, Equatable {
    var id: Int
    var userName: JSON
    var note: JSON?
    var list: [JSON] = []
    var map: [String: JSON] = [:]
  }

  private static let text =
    #"{"z":1.50,"a":123456789012345678901234567890,"snake_case":[1E5,-0,9007199254740993,null],"a":true,"e":{},"f":[],"s":"\u0000/ü"}"#

  private func decoder(_ strategy: JSON.Decoder.KeyDecodingStrategy = .useDefaultKeys) -> JSON.Decoder {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = strategy
    return decoder
  }

  private func encoder(_ formatting: JSON.Encoder.OutputFormatting) -> JSON.Encoder {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = formatting
    return encoder
  }

  private func text(
    _ value: some Encodable, _ formatting: JSON.Encoder.OutputFormatting = .withoutEscapingSlashes
  ) throws -> String {
    String(decoding: try encoder(formatting).encode(value), as: UTF8.self)
  }

  // MARK: Anvil's coders

  @Test func valuesKeepTheirText() throws {
    let json = try JSON.Decoder().decode(JSON.self, from: Data(Self.text.utf8))
    #expect(json.serializedText() == Self.text)
    #expect(json.root == json)
    #expect(try text(json) == Self.text)
    for scalar in ["null", "true", "1.0", "1e400", #""a""#, "12345678901234567890", "[]"] {
      #expect(try text(JSON.Decoder().decode(JSON.self, from: Data(scalar.utf8))) == scalar)
    }
  }

  @Test func propertiesCanBeAnyValue() throws {
    let event = #"{"id":7,"user_name":\#(Self.text),"note":null,"list":[1.0,[],null],"map":{"b_c":{"d_e":1}}}"#
    let decoded = try decoder(.convertFromSnakeCase).decode(Event.self, from: Data(event.utf8))
    #expect(decoded.userName.serializedText() == Self.text)
    #expect(decoded.note == nil)
    #expect(decoded.list.map { $0.serializedText() } == ["1.0", "[]", "null"])
    #expect(decoded.map["b_c"]?["d_e"]?.int == 1)
    let snake = encoder(.withoutEscapingSlashes)
    snake.keyEncodingStrategy = .convertToSnakeCase
    let written = String(decoding: try snake.encode(decoded), as: UTF8.self)
    #expect(written == event.replacing(#""note":null,"#, with: ""))
  }

  @Test func nestedValuesAreEncodedWithoutTheirDocument() throws {
    let json = try JSON(parsing: Self.text)
    #expect(try text(["part": json["snake_case"]]) == #"{"part":[1E5,-0,9007199254740993,null]}"#)
    #expect(try text([json["z"], nil, json["e"]]) == "[1.50,null,{}]")
  }

  @Test(arguments: [
    JSON.Encoder.OutputFormatting.prettyPrinted, .sortedKeys, [.prettyPrinted, .sortedKeys], [],
    [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes],
  ])
  func outputFormattingAppliesToJSONValues(formatting: JSON.Encoder.OutputFormatting) throws {
    struct Model: Codable {
      var b = ["/x": [1, 2], "é": []]
      var a = [[String: Int]()]
      var c = ["x": ["y": "a/b"]]
    }
    let plain = try encoder(formatting.union(.sortedKeys)).encode(["outer": [Model()]])
    let json = try JSON(parsing: encoder(.sortedKeys).encode(Model()))
    #expect(try encoder(formatting).encode(["outer": [json]]) == plain)
  }

  @Test func valuesCanBeDecodedFromEveryContainer() throws {
    struct Places: Decodable {
      enum CodingKeys: CodingKey { case `super`, list, nested }
      var values: [JSON] = []

      init(from decoder: any Swift.Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        values.append(try JSON(from: container.superDecoder()))
        var list = try container.nestedUnkeyedContainer(forKey: .list)
        values.append(try list.decode(JSON.self))
        values.append(try JSON(from: list.superDecoder()))
        #expect(try list.decodeIfPresent(JSON.self) == nil)
        values.append(try container.superDecoder(forKey: .nested).singleValueContainer().decode(JSON.self))
      }
    }
    let text = Data(#"{"super":1.0,"list":[2.0,3.0,null],"nested":{"x":4.0}}"#.utf8)
    let expected = ["1.0", "2.0", "3.0", #"{"x":4.0}"#]
    #expect(try JSON.Decoder().decode(Places.self, from: text).values.map { $0.serializedText() } == expected)
    #expect(try JSON.Decoder().decodeAll(Places.self, from: text).values.map { $0.serializedText() } == expected)
  }

  @Test func valuesCanBeEncodedIntoEveryContainer() throws {
    struct Places: Encodable {
      enum CodingKeys: CodingKey { case `super`, list, nested, caught }

      func encode(to encoder: any Swift.Encoder) throws {
        let json = try JSON(parsing: "[1.0]")
        var container = encoder.container(keyedBy: CodingKeys.self)
        try json.encode(to: container.superEncoder())
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(json)
        try container.encode(json, forKey: .nested)
        var nested = container.nestedUnkeyedContainer(forKey: .nested)
        try nested.encode(json)
        var single = container.superEncoder(forKey: .caught).singleValueContainer()
        #expect(throws: EncodingError.self) { try single.encode(deepValue(600)) }
        try single.encode(json)
      }
    }
    #expect(try text(Places()) == #"{"super":[1.0],"list":[[1.0]],"nested":[1.0,[1.0]],"caught":[1.0]}"#)
  }

  @Test func tooDeeplyNestedValuesThrowInsteadOfTrapping() throws {
    for depth in [513, 100_000] {
      #expect(throws: EncodingError.self) { try JSON.Encoder().encode(deepValue(depth)) }
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(deepValue(depth)) }
      #expect(throws: EncodingError.self) { try PropertyListEncoder().encode(deepValue(depth)) }
    }
    #expect(try JSON.Encoder().encode(deepValue(511)).count == 1022)
  }

  @Test func missingValueIsReported() {
    let error = #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode(Event.self, from: Data(#"{"id":1}"#.utf8))
    }
    guard case .keyNotFound(let key, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(key.stringValue == "userName")
  }

  // MARK: Other coders

  @Test func foundationCodersKeepValues() throws {
    let text =
      #"{"a":[1,-0.5,"x",true,null,[],{}],"b":{"c":18446744073709551615,"d":0.1},"e":12345678901234567.25,"f":1e300}"#
    let json = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    #expect(try json == JSON(parsing: text))
    #expect(json["e"]?.numberText == "12345678901234567.25")
    #expect(json["b"]?["d"]?.numberText == "0.1")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let simple = #"{"a":[1,-0.5,"x",true,null,[],{}],"b":{"c":18446744073709551615}}"#
    #expect(try String(decoding: encoder.encode(JSON(parsing: simple)), as: UTF8.self) == simple)
    let event = Event(id: 1, userName: json, list: [1], map: ["x": nil])
    let list = try PropertyListEncoder().encode(event)
    #expect(try PropertyListDecoder().decode(Event.self, from: list).userName["b"] == json["b"])
    #expect(try JSONDecoder().decode(Event.self, from: JSONEncoder().encode(event)).userName["a"] == json["a"])
  }

  @Test func propertyListsKeepEveryKind() throws {
    let json = try JSON(parsing: #"{"a":[1,-0.5,"x",true,null,[],{}],"b":{"c":"d"}}"#)
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format
      #expect(try PropertyListDecoder().decode(JSON.self, from: encoder.encode(json)) == json)
    }
  }

  @Test(.timeLimit(.minutes(5))) func propertyListsWithManyKeysTakeLinearTime() throws {
    let members = Dictionary(uniqueKeysWithValues: (0..<64_000).map { ("key\($0)", [$0]) })
    let json = try PropertyListDecoder().decode(JSON.self, from: PropertyListEncoder().encode(members))
    #expect(json.count == 64_000)
    #expect(json["key63999"] == [63_999])
  }

  @Test func otherEncodersReceiveTheFirstOfRepeatedKeys() throws {
    let json = try JSON(parsing: #"{"a":1,"a":2}"#)
    #expect(try String(decoding: JSONEncoder().encode(json), as: UTF8.self) == #"{"a":1}"#)
  }

  @Test func valuesThatJSONCannotRepresentThrowWithTheirPath() throws {
    let list = try PropertyListEncoder().encode(["a": [Date(timeIntervalSince1970: 0)]])
    let error = #expect(throws: DecodingError.self) { try PropertyListDecoder().decode(JSON.self, from: list) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(JSON(parsing: "[1e400]")) }
  }

  @Test(arguments: [
    "18446744073709551616", "-9223372036854775809", "170141183460469231731687303715884105727",
    "340282366920938463463374607431768211455", "-170141183460469231731687303715884105728",
  ])
  func wholeNumbersOf128BitsAreExactForOtherEncoders(number: String) throws {
    let json = try JSON(parsing: "[\(number)]")
    #expect(String(decoding: try JSONEncoder().encode(json), as: UTF8.self) == "[\(number)]")
    // Property lists have no such integers.
    let list = try PropertyListEncoder().encode(json)
    #expect(try PropertyListDecoder().decode([Double].self, from: list) == [Double(number) ?? 0])
  }
}

/// An array in `depth - 1` others.
private func deepValue(_ depth: Int) throws -> JSON {
  let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  return try JSON(parsing: text, options: JSON.ParsingOptions(depthLimit: depth))
}
