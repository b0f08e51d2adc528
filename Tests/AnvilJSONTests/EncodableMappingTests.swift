import AnvilJSON
import Foundation
import Testing

private struct Repository: JSONEncodable {
  var id = 7
  var owner = "ada"
  var language: String?
  var homepage: URL?
  var topics = ["json", "swift"]

  func encode(into json: inout JSON.Builder) throws {
    try json.write(id, at: "id")
    try json.write(owner, at: "owner" => "login")
    try json.write(true, at: "owner" => "site_admin")
    try json.write(ifPresent: language, at: "language")
    try json.write(homepage, at: "homepage")
    try json.write(topics, at: "topics")
  }
}

/// Only optional members.
private struct Options: JSONEncodable {
  var a: Int?
  func encode(into json: inout JSON.Builder) throws { try json.write(ifPresent: a, at: "a" => "b") }
}

/// Encodes with a closure of the test.
private struct Writing: JSONEncodable {
  let body: (inout JSON.Builder) throws -> Void
  init(_ body: @escaping (inout JSON.Builder) throws -> Void) { self.body = body }
  func encode(into json: inout JSON.Builder) throws { try body(&json) }
}

private enum Color: String, JSONEncodable { case red, green }
private enum Level: Int, Codable, JSONEncodable { case low = 1 }
private struct Point: Encodable, JSONEncodable {
  var x = 1.5
  var tags = ["a/b": [1]]
}
private struct Refusal: Error, CustomStringConvertible { let description = "no thanks" }

@Suite struct EncodableMappingTests {
  private func text(_ body: @escaping (inout JSON.Builder) throws -> Void) throws -> String {
    try JSON(encoding: Writing(body)).description
  }

  private func failure(_ body: @escaping (inout JSON.Builder) throws -> Void) -> JSONEncodingError? {
    do {
      _ = try JSON(encoding: Writing(body))
      return nil
    } catch {
      return error as? JSONEncodingError
    }
  }

  @Test func aMissingElementOfAListLeavesAnObject() throws {
    #expect(try text { try $0.write(ifPresent: Int?.none, at: "list" => 0) } == "{}")
  }

  @Test func objectsAreWrittenMemberByMember() throws {
    #expect(
      try JSON(encoding: Repository()).description
        == #"{"id":7,"owner":{"login":"ada","site_admin":true},"homepage":null,"topics":["json","swift"]}"#)
    #expect(
      try JSON(encoding: [Repository(language: "Swift", homepage: URL(string: "https://a.b/c"), topics: [])])
        .description
        == #"[{"id":7,"owner":{"login":"ada","site_admin":true},"language":"Swift","homepage":"https://a.b/c","topics":[]}]"#
    )
  }

  @Test func typesThatWriteNothingBecomeEmptyObjects() throws {
    #expect(try JSON(encoding: Options()).description == "{}")
    #expect(try JSON(encoding: Options(a: 1)).description == #"{"a":{"b":1}}"#)
    #expect(try JSON(encoding: [Options(), Options(a: 2)]).description == #"[{},{"a":{"b":2}}]"#)
    #expect(try text { _ in } == "{}")
    #expect(try text { try $0.write(Options(), at: "x") } == #"{"x":{}}"#)
    #expect(try text { try $0.write(at: "x") { _ in } } == #"{"x":{}}"#)
  }

  @Test func pathsCreateMissingContainers() throws {
    #expect(
      try text {
        try $0.write(1, at: "a" => "b" => "c")
        try $0.write(2, at: "a" => "b" => "d")
        try $0.write(3, at: "a" => "e")
        try $0.write(4, at: "f")
        try $0.write(5, at: JSON.Path("g.h"))
      } == #"{"a":{"b":{"c":1,"d":2},"e":3},"f":4,"g.h":5}"#)
    #expect(
      try text {
        try $0.write(1, at: "a" => 0 => "x")
        try $0.write(2, at: "a" => 0 => "y")
        try $0.write(3, at: "a" => 1 => "x")
        try $0.write(4, at: ["a", 2])
        try $0.write(5, at: ["a", 3, 0, 0])
      } == #"{"a":[{"x":1,"y":2},{"x":3},4,[[5]]]}"#)
    #expect(
      try text {
        try $0.write(1, at: 0); try $0.write(2, at: 1); try $0.append(3)
      } == "[1,2,3]")
    #expect(try text { try $0.write(1, at: []) } == "1")
  }

  @Test func nestedValuesWriteRelativeToTheirPath() throws {
    #expect(
      try text {
        try $0.write(Repository(), at: "a" => "b")
        try $0.write(1, at: "a" => "c")
        try $0.write(at: "a" => "d") { json in
          try json.write(1, at: "b" => "c")
          try json.write(at: "e") { try $0.append(2) }
        }
        try $0.write(3, at: "a" => "e")
      }
        == #"{"a":{"b":{"id":7,"owner":{"login":"ada","site_admin":true},"homepage":null,"topics":["json","swift"]},"c":1,"d":{"b":{"c":1},"e":[2]},"e":3}}"#
    )
  }

  @Test func membersOfSeveralValuesBecomeOneObject() throws {
    #expect(
      try text {
        try $0.write(1, at: "x" => "y")
        try $0.write(Options(a: 2))
        try $0.write(3, at: "z")
      } == #"{"x":{"y":1},"a":{"b":2},"z":3}"#)
    #expect(
      try text {
        try $0.write([1, 2]); try $0.append(3); try $0.write([4])
      } == "[1,2,3,4]")
    #expect(
      try text {
        try $0.write("a", at: "type")
        try $0.write(["x": [1]] as JSON)
        try $0.write([:] as JSON)
      } == #"{"type":"a","x":[1]}"#)
    #expect(
      try text {
        try $0.write([1])
        try $0.write([2, nil] as JSON)
      } == "[1,2,null]")
  }

  @Test func closuresAndStrategiesCanWriteValues() throws {
    let date = Date(timeIntervalSince1970: 1.5)
    #expect(
      try text {
        try $0.write(at: "hex") { try $0.write(String(255, radix: 16)) }
        try $0.write(date, at: "s", with: .date(.secondsSince1970))
        try $0.write(date, at: "ms", with: .date(.millisecondsSince1970))
        try $0.write(date, at: "iso", with: .date(.iso8601))
        try $0.write([date, date], at: "all", with: .array(of: .date(.secondsSince1970)))
        try $0.write(nil, at: "null", with: .optional(.date(.secondsSince1970)))
        try $0.write(ifPresent: nil, at: "none", with: .date(.secondsSince1970))
        try $0.write(3, at: "own", with: JSON.EncodingStrategy { try $1.write(String(repeating: "x", count: $0)) })
      }
        == #"{"hex":"ff","s":1.5,"ms":1500,"iso":"1970-01-01T00:00:01.500Z","all":[1.5,1.5],"null":null,"own":"xxx"}"#)
  }

  @Test func codableTypesAndRawValuesAreWritten() throws {
    #expect(try JSON(encoding: Point()).description == #"{"x":1.5,"tags":{"a/b":[1]}}"#)
    #expect(try JSON(encoding: ["p": Point()]).description == #"{"p":{"x":1.5,"tags":{"a/b":[1]}}}"#)
    #expect(try JSON(encoding: [Color.red, .green]).description == #"["red","green"]"#)
    #expect(try JSON(encoding: [Level.low]).description == "[1]")
  }

  // MARK: Errors

  private static let failures: [(String, @Sendable (inout JSON.Builder) throws -> Void)] = [
    ("object.a.b[1]: a number that is not finite (inf)", { try $0.write([1, Double.infinity], at: "a" => "b") }),
    ("object: a number that is not finite (nan)", { try $0.write(Float.nan) }),
    ("object[0]: a number that is not finite (NaN)", { try $0.append(Decimal.nan) }),
    ("object.x[1].k: a number that is not finite (-inf)", { try $0.write([[:], ["k": -Double.infinity]], at: "x") }),
    (
      "object.d: a date that RFC 3339 cannot represent (inf s)",
      { try $0.write(Date(timeIntervalSince1970: .infinity), at: "d") }
    ),
    (
      "object.d: a number that is not finite (inf)",
      { try $0.write(Date(timeIntervalSince1970: .infinity), at: "d", with: .date(.secondsSince1970)) }
    ),
    (
      "object.a[1]: no thanks",
      {
        try $0.write(at: "a") {
          try $0.append(1); try $0.append { _ in throw Refusal() }
        }
      }
    ),
    ("object.p.x: Unable to encode Double.inf directly in JSON.", { try $0.write(Point(x: .infinity), at: "p") }),
    (
      "object: a second value at the same location",
      {
        try $0.write(1); try $0.write(2)
      }
    ),
    (
      "object: a second value at the same location",
      {
        try $0.write(1, at: "a"); try $0.write(2)
      }
    ),
    (
      "object.a: a second value at the same location",
      {
        try $0.write(at: "a") {
          try $0.write(1); try $0.write(1)
        }
      }
    ),
    (
      "object.b: a second value at the same location",
      {
        try $0.write(1); try $0.write(2, at: "b")
      }
    ),
    (
      "object.b: a key in an array, or an index that is not the next one",
      {
        try $0.append(1); try $0.write(2, at: "b")
      }
    ),
    (
      "object: a key in an array, or an index that is not the next one",
      {
        try $0.write(2, at: "b"); try $0.append(1)
      }
    ),
    ("object[1]: a key in an array, or an index that is not the next one", { try $0.write(2, at: 1) }),
    ("object[-1]: a key in an array, or an index that is not the next one", { try $0.write(2, at: -1) }),
    (
      "object.a[0]: a key in an array, or an index that is not the next one",
      {
        try $0.write(2, at: "a" => "b"); try $0.write(2, at: "a" => 0)
      }
    ),
    (
      "object.a.c: a container that is no longer the last value written",
      {
        try $0.write(1, at: "a" => "b"); try $0.write(1, at: "x"); try $0.write(1, at: "a" => "c")
      }
    ),
    (
      "object.a.c: a container that is no longer the last value written",
      {
        try $0.write(1, at: "a"); try $0.write(1, at: "a" => "c")
      }
    ),
    (
      "object[0].a: a container that is no longer the last value written",
      {
        try $0.write(1, at: 0); try $0.write(1, at: 0 => "a")
      }
    ),
  ]

  @Test(arguments: failures.indices)
  func errorsContainLocationAndReason(row: Int) {
    let (expected, body) = Self.failures[row]
    #expect(failure(body)?.description == "JSONEncodingError at \(expected)")
  }

  @Test func otherErrorsAreKept() {
    let error = failure { try $0.write(at: "a") { _ in throw Refusal() } }
    #expect(error?.underlyingError is Refusal && error?.code == .other && error?.path == "a")
    let codable = failure { try $0.write([Point(), Point(x: .nan)], at: "p") }
    #expect(codable?.underlyingError is EncodingError && codable?.path == ["p", 1, "x"])
  }

  @Test func failedWritesAreRolledBack() throws {
    #expect(
      try text { json in
        try json.write(1, at: "a" => "b")
        try? json.write([1, .nan], at: "a" => "c" => "d")
        try json.write(2, at: "a" => "e")
        try? json.write(Double.nan, at: "f")
        try? json.write(at: "g") { json in
          try json.write("x", at: "y" => "z")
          throw Refusal()
        }
        try? json.write(
          Writing {
            try $0.write(1, at: "h" => "i"); throw Refusal()
          })
        try json.write(at: "j") { json in
          try? json.append(Double.nan)
          try json.append(0)
          try? json.append(Double.nan)
          try? json.write(at: 1 => "k") { _ in throw Refusal() }
          try json.append(1)
        }
      } == #"{"a":{"b":1,"e":2},"j":[0,1]}"#)
    #expect(
      try text { json in
        try? json.write(Double.nan); try json.write(1)
      } == "1")
    #expect(
      try text { json in
        try? json.write(Double.nan, at: "a"); try json.append(1)
      } == "[1]")
  }

  @Test func nestingHasALimit() throws {
    struct Nested: JSONEncodable {
      let depth: Int
      func encode(into json: inout JSON.Builder) throws {
        if depth > 0 { try json.append(Nested(depth: depth - 1)) } else { try json.write(0) }
      }
    }
    #expect(try JSON(encoding: Nested(depth: 512)).serialized().count == 1025)
    let error = #expect(throws: JSONEncodingError.self) { try JSON(encoding: Nested(depth: 513)) }
    #expect(error?.code == .tooDeep)
  }
}
