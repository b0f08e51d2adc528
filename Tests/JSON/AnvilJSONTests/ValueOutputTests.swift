import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

@Suite struct ValueOutputTests {
  private func json(_ text: String) throws -> JSON { try JSON(parsing: text) }

  @Test func descriptionIsCompactText() throws {
    let json = try json(" { \"a\" : [ 1 , 2.50 , { } , [ ] ] , \"b\" : null , \"a\" : \"\\u00e9\" } ")
    #expect(json.description == #"{"a":[1,2.50,{},[]],"b":null,"a":"é"}"#)
    #expect(json["a"]?[0]?.description == "1" && json["b"]?.description == "null")
  }

  @Test func prettyTextIsIndented() throws {
    let json = try json(#"{"a":[1,{"b":[]},{}],"c":{"d":"e"}}"#)
    #expect(
      json.serializedText(.pretty()) == """
        {
          "a": [
            1,
            {
              "b": []
            },
            {}
          ],
          "c": {
            "d": "e"
          }
        }
        """)
    #expect(try self.json("[1]").serializedText(.pretty(indent: 4)) == "[\n    1\n]")
    #expect(try self.json("[1]").serializedText(.pretty(indent: 0)) == "[\n1\n]")
    #expect(try self.json("[1]").serializedText(.pretty(indent: .min)) == "[\n1\n]")
    #expect(try self.json("[1]").serialized(.pretty(indent: .max)).count == 21)
    #expect(try self.json("[]").serializedText(.pretty()) == "[]")
    #expect(try self.json("1").serializedText(.pretty()) == "1")
  }

  @Test func sortedKeysKeepEveryMember() throws {
    let json = try json(#"{"b":1,"a":{"z":1,"y":2},"😀":3,"\ufb33":4,"b":0,"":5,"ab":6}"#)
    #expect(
      json.serializedText(order: .sortedKeys) == #"{"":5,"a":{"y":2,"z":1},"ab":6,"b":1,"b":0,"\#u{FB33}":4,"😀":3}"#)
  }

  @Test(arguments: [
    "0.10", "1e5", "1E+05", "123456789012345678901234567890", "-0", "1e400", "-0.0e-0", "12345678901234567890",
  ])
  func numbersKeepTheirText(text: String) throws {
    #expect(try json("[\(text)]").description == "[\(text)]")
  }

  @Test func stringsAreEscapedOnlyWhereNecessary() throws {
    for value in (0 as UInt32)...0x2100 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = JSON(String(scalar)).description
      let expected =
        switch value {
        case 0x22: #""\"""#
        case 0x5C: #""\\""#
        case 0x08: #""\b""#
        case 0x09: #""\t""#
        case 0x0A: #""\n""#
        case 0x0C: #""\f""#
        case 0x0D: #""\r""#
        case 0..<0x20: "\"\\u00" + (value < 16 ? "0" : "") + String(value, radix: 16) + "\""
        default: "\"\(scalar)\""
        }
      #expect(text.utf8.elementsEqual(expected.utf8), "\(value)")
    }
  }

  @Test(arguments: 0..<40) func charactersAtEveryOffsetAreEscaped(position: Int) throws {
    let string = String(repeating: "a", count: position) + "\n" + String(repeating: "é", count: 20) + "\""
    let json = JSON(string)
    #expect(json.string == string)
    #expect(try self.json(json.description) == json)
    #expect(json.description.hasPrefix("\"" + String(repeating: "a", count: position) + "\\né"))
  }

  @Test func writtenValuesRoundTrip() throws {
    var generator = ValueGenerator(seed: 6)
    for _ in 0..<rounds(800) {
      let value = try generator.value()
      for style in [JSON.OutputStyle.compact, .pretty(), .pretty(indent: 0)] {
        for order in [JSON.OutputOrder.document, .sortedKeys] {
          let text = value.serialized(style, order: order)
          let again = try JSON(parsing: text)
          #expect(again == value && again.hashValue == value.hashValue, "\(value)")
          #expect(again.serialized(style, order: order) == text)
          #expect(value.serializedData(style, order: order) == Data(text))
        }
      }
      // Foundation reads the same.
      if let object = try? JSONSerialization.jsonObject(with: value.serializedData(), options: .fragmentsAllowed) {
        #expect(object is NSNull == value.isNull)
      }
    }
  }

  @Test(
    .enabled(if: Corpora.folder != nil, "the corpora are not here: set ANVIL_CORPORA"),
    arguments: Corpora.documents)
  func corporaRoundTrip(name: String) throws {
    let json = try JSON(parsing: Corpora.document(name))
    let text = json.serialized()
    #expect(try JSON(parsing: text) == json)
    #expect(try JSON(parsing: json.serialized(.pretty())).serialized() == text)
    let canonical = try json.canonicalForm()
    #expect(try JSON(parsing: canonical).canonicalForm() == canonical)
  }
}
