import Anvil
import Foundation
import Testing

@Suite struct FoundationObjectTests {
  private func text(_ object: Any) throws -> String {
    try JSON(foundationObject: object).serializedText(order: .sortedKeys)
  }

  private func failure(_ object: Any) -> String? {
    do {
      _ = try JSON(foundationObject: object)
      return nil
    } catch {
      return "\(error)"
    }
  }

  // MARK: To JSON

  @Test func booleansAndNumbersAreDistinguished() throws {
    #expect(try text(NSNumber(value: true)) == "true")
    #expect(try text(NSNumber(value: false)) == "false")
    for number in [
      NSNumber(value: 1), NSNumber(value: Int8(1)), NSNumber(value: UInt8(1)), NSNumber(value: Int16(1)),
      NSNumber(value: UInt16(1)), NSNumber(value: Int32(1)), NSNumber(value: UInt32(1)), NSNumber(value: Int64(1)),
      NSNumber(value: UInt64(1)), NSNumber(value: 1.0), NSNumber(value: Float(1)), NSDecimalNumber(value: 1),
    ] {
      #expect(try text(number) == "1")
      #expect(try text(["a": [number]]) == #"{"a":[1]}"#)
    }
    #expect(try text([true, 1, false, 0, 1.0] as [Any]) == "[true,1,false,0,1]")
    #expect(try text(NSArray(array: [true, 1, false, 0, 1.0])) == "[true,1,false,0,1]")
    let parsed = try JSONSerialization.jsonObject(with: Data(#"[true,1,false,0,1.0,{"a":true,"b":1}]"#.utf8))
    #expect(try text(parsed) == #"[true,1,false,0,1,{"a":true,"b":1}]"#)
  }

  @Test(arguments: [
    ("9223372036854775807", NSNumber(value: Int64.max)), ("-9223372036854775808", NSNumber(value: Int64.min)),
    ("18446744073709551615", NSNumber(value: UInt64.max)), ("0.1", NSNumber(value: 0.1)),
    ("0.1", NSNumber(value: Float(0.1))),
    ("-0", NSNumber(value: -0.0)), ("1e+300", NSNumber(value: 1e300)), ("1.1", NSDecimalNumber(string: "1.10")),
    (
      "12345678901234567890123456789012345678", NSDecimalNumber(string: "12345678901234567890123456789012345678")
    ),
  ])
  func numbersKeepTheirDigits(expected: String, number: NSNumber) throws {
    #expect(try text(number) == expected)
  }

  @Test func swiftTypesAreConverted() throws {
    let object: [String: Any] = [
      "bool": true, "int": Int.max, "i8": Int8(-1), "u64": UInt64.max, "float": Float(0.1), "cg": CGFloat(0.5),
      "decimal": Decimal(string: "1.5") as Any, "none": Int?.none as Any, "some": Int?.some(1) as Any, "null": NSNull(),
      "string": "é\n", "nsstring": NSString(string: "x"), "ints": [1, 2], "object": ["a": 1],
      "nsarray": NSArray(array: [NSNull()]), "nsdictionary": NSDictionary(dictionary: ["b": "c"]), "empty": [Any](),
      "nested": [["a": [[String: Any]()]]],
    ]
    #expect(
      try text(object)
        == #"{"bool":true,"cg":0.5,"decimal":1.5,"empty":[],"float":0.1,"i8":-1,"int":9223372036854775807,"ints":[1,2],"#
        + #""nested":[{"a":[{}]}],"none":null,"nsarray":[null],"nsdictionary":{"b":"c"},"nsstring":"x","null":null,"#
        + #""object":{"a":1},"some":1,"string":"é\n","u64":18446744073709551615}"#)
    for fragment in ["x", NSString("x"), NSNull(), 1.5, NSNumber(value: true)] as [Any] {
      let data = try JSONSerialization.data(withJSONObject: fragment, options: .fragmentsAllowed)
      #expect(try JSON(foundationObject: fragment) == JSON(parsing: data))
    }
  }

  @Test func unsupportedObjectsAreRejectedWithTheirPath() {
    #expect(
      failure(["a": [1, Date()]]) == "WritingError at object.a[1]: an object that JSON cannot represent (Date)")
    #expect(
      failure(NSDictionary(dictionary: ["a": ["b": NSDate()]]))?.hasPrefix(
        "WritingError at object.a.b: an object that JSON cannot represent") == true)
    #expect(failure(Set([1])) == "WritingError at object: an object that JSON cannot represent (Set<Int>)")
    #expect(failure([1: 2]) == "WritingError at object: a key that is not a string (Int)")
    #expect(
      failure(["x": NSDictionary(dictionary: [1: 2])])?.hasPrefix(
        "WritingError at object.x: a key that is not a string")
        == true)
    #expect(failure([Double.nan]) == "WritingError at object[0]: number that is not finite")
    #expect(
      failure(["a": NSNumber(value: Float.infinity)])
        == "WritingError at object.a: number that is not finite")
    #expect(failure(NSDecimalNumber.notANumber) == "WritingError at object: number that is not finite")
  }

  #if canImport(Darwin)
  /// On Linux, Foundation overflows the stack when the element of such an array is accessed.
  @Test func recursiveContainersAreRejected() {
    let array = NSMutableArray()
    array.add(array)
    let error = #expect(throws: JSON.WritingError.self) { try JSON(foundationObject: array) }
    #expect(error?.code == .tooDeep(limit: 512))
    array.removeAllObjects()
  }
  #endif

  @Test func nestingIsLimited() throws {
    var nested: Any = [Any]()
    for _ in 1..<512 { nested = [nested] }
    #expect(try text(nested) == String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
    #expect(failure([nested])?.hasSuffix("more than 512 nested containers") == true)
    #expect(failure(["a": nested])?.hasSuffix("more than 512 nested containers") == true)
  }

  @Test func largeObjectsAreConverted() throws {
    let object = (0..<20_000).map { ["id": $0, "tags": ["a", NSNull()]] as [String: Any] }
    let json = try JSON(foundationObject: object)
    #expect(json.count == 20_000 && json[19_999]?["id"] == 19_999)
    let back = try #require(json.foundationObject as? [[String: Any]])
    #expect(back.count == 20_000 && back[19_999]["id"] as? Int == 19_999)
  }

  // MARK: From JSON

  @Test(arguments: [
    #"{"a":[1,-1,1.5,true,false,null,"é",{"b":{}},[]],"c":{"d":[[],{}]}}"#, "[]", "{}", "1", "true", "null", "\"x\"",
    "[9223372036854775807,-9223372036854775808,18446744073709551615,123456789012345678901234567890,1e300,0.1,1.0,-0.0]",
  ])
  func objectsEqualThoseOfJSONSerialization(text: String) throws {
    let json = try JSON(parsing: text)
    let ours = try json.foundationObject
    let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    #expect(try #require(ours as? NSObject ?? (ours as AnyObject as? NSObject)).isEqual(theirs))
    // Booleans stay Booleans, and numbers numbers.
    #expect(try JSON(foundationObject: ours) == json)
    #expect(JSONSerialization.isValidJSONObject([ours]))
  }

  @Test func objectsHaveFoundationTypes() throws {
    let object = try JSON(parsing: #"{"b": true, "n": 1, "z": null, "s": "x", "b": 2}"#).foundationObject
    let members = try #require(object as? [String: Any])
    #expect(members.count == 4)
    #expect(members["b"] is NSNumber && members["z"] is NSNull && members["s"] is String)
    #expect(try JSON(foundationObject: #require(members["b"])) == true)
  }

  @Test func numbersBeyondFoundationAreRejected() throws {
    let json = try JSON(parsing: #"{"a": [1, 1e400]}"#)
    let error = #expect(throws: TypeMismatchError.self) { _ = try json.foundationObject }
    #expect(error?.description == "TypeMismatchError at object.a[1]: expected NSNumber, found number in 1e400")
    let nested = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
    let deep = try JSON(parsing: nested, options: .init(depthLimit: 1000))
    #expect(throws: TypeMismatchError.self) { _ = try deep.foundationObject }
    _ = try #require(deep[0]).foundationObject
    let infinite = try JSON(parsing: "Infinity", options: .init(syntax: .json5)).foundationObject
    #expect((infinite as? NSNumber)?.doubleValue == .infinity)
  }
}
