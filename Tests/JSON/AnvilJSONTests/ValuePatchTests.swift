import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

@Suite struct ValuePatchTests {
  private func apply(_ patch: String, to text: String) throws -> JSON {
    try JSON(parsing: text).applying(JSON.Patch(JSON(parsing: patch)))
  }

  private func failure(_ patch: String, on text: String) -> String? {
    do {
      _ = try apply(patch, to: text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// RFC 6902 appendix A, and the rules of its sections.
  @Test(arguments: [
    // A.1–A.7, A.10, A.11, A.14, A.16
    (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"foo":"bar","baz":"qux"}"#),
    (#"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
    (
      #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo","foo":"bar"}"#
    ),
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    (
      #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"foo":"bar","child":{"grandchild":{}}}"#
    ),
    (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"foo":"bar","baz":"qux"}"#),
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    (#"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#, #"{"foo":["bar",["abc","def"]]}"#),
    // §4
    (#"{"a":1,"b":2}"#, #"[{"op":"add","path":"/a","value":3}]"#, #"{"a":3,"b":2}"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"","value":[null]}]"#, "[null]"),
    ("[1]", #"[{"op":"replace","path":"","value":"x"},{"op":"test","path":"","value":"x"}]"#, #""x""#),
    ("[1,2,3]", #"[{"op":"replace","path":"/1","value":[4]}]"#, "[1,[4],3]"),
    ("[1,2]", #"[{"op":"add","path":"/2","value":3},{"op":"add","path":"/0","value":0}]"#, "[0,1,2,3]"),
    (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/a/c"}]"#, #"{"a":{"b":1,"c":{"b":1}}}"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"","path":"/a"}]"#, #"{"a":{"a":{"b":1}}}"#),
    (
      #"{"a":[1]}"#,
      #"[{"op":"add","path":"/a/0","value":0},{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/a/0"}]"#,
      #"{"a":[1],"b":[0,1]}"#
    ),
    (#"{"a":{"b":[7]}}"#, #"[{"op":"move","from":"/a/b","path":""}]"#, "[7]"),
    (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"ab":{"c":1}}"#, #"[{"op":"move","from":"/ab","path":"/abc"}]"#, #"{"abc":{"c":1}}"#),
    (
      #"{"a":null}"#, #"[{"op":"test","path":"/a","value":null},{"op":"add","path":"/b","value":null}]"#,
      #"{"a":null,"b":null}"#
    ),
    (
      #"{"a":{"x":1,"y":[2.0]}}"#, #"[{"op":"test","path":"/a","value":{"y":[2],"x":10e-1}}]"#,
      #"{"a":{"x":1,"y":[2.0]}}"#
    ),
    (#"{"a":1.50}"#, "[]", #"{"a":1.50}"#),
    (
      #"{"a":1,"a":2,"b":{"c":1,"c":2}}"#, #"[{"op":"add","path":"/d","value":3}]"#, #"{"a":1,"b":{"c":1,"c":2},"d":3}"#
    ),
    (#"{"a":1,"a":2}"#, #"[{"op":"remove","path":"/a"}]"#, "{}"),
    (#"{"é":1,"e\#u{301}":2}"#, #"[{"op":"remove","path":"/é"}]"#, #"{"e\#u{301}":2}"#),
    (#"[[1],[2]]"#, #"[{"op":"move","from":"/0","path":"/0/0"},{"op":"test","path":"/0/0/0","value":1}]"#, "FAILS"),
    (#"[[1],[2]]"#, #"[{"op":"move","from":"/0","path":"/1"}]"#, "[[2],[1]]"),
  ])
  func operationsChangeTheValue(text: String, patch: String, expected: String) throws {
    guard expected != "FAILS" else { return #expect(failure(patch, on: text) != nil) }
    let result = try apply(patch, to: text)
    #expect(result.description == expected)
    #expect(result.root == result && result.index == 0)
  }

  @Test(arguments: [
    // A.8, A.9, A.12, A.13, A.15
    (
      #"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#,
      #"operation 0: the value at "/baz" is not the expected one"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#,
      #"operation 0: there is no object or array that could contain "/baz/bat""#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","op":"remove"}]"#,
      #"operation 0: the operation contains "op" more than once"#
    ),
    (
      #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#,
      #"operation 0: the value at "/~01" is not the expected one"#
    ),
    // §3, §4
    ("[]", "{}", "a patch must be an array"),
    ("[]", "[1]", "operation 0: an operation must be an object"),
    ("[]", #"[{"path":""}]"#, #"operation 0: an operation must have a string "op""#),
    (
      "[]", #"[{"op":"test","path":"","value":[]},{"op":"spam","path":""}]"#,
      #"operation 1: "op" is not the name of an operation"#
    ),
    ("[]", #"[{"op":"add","value":1}]"#, #"operation 0: this operation must have a string "path""#),
    ("[]", #"[{"op":"add","path":"a","value":1}]"#, #"operation 0: "path": a JSON pointer must begin with '/'"#),
    ("[]", #"[{"op":"add","path":"/0"}]"#, #"operation 0: this operation must have a "value""#),
    ("[]", #"[{"op":"copy","path":"/0"}]"#, #"operation 0: this operation must have a string "from""#),
    ("[1]", #"[{"op":"add","path":"/2","value":1}]"#, #"operation 0: "/2" is beyond the end of the array (count: 1)"#),
    ("[1]", #"[{"op":"add","path":"/00","value":1}]"#, #"operation 0: "/00" does not end in an array index"#),
    ("[1]", #"[{"op":"add","path":"/-1","value":1}]"#, #"operation 0: "/-1" does not end in an array index"#),
    ("[1]", #"[{"op":"add","path":"/a","value":1}]"#, #"operation 0: "/a" does not end in an array index"#),
    ("[1]", #"[{"op":"remove","path":"/-"}]"#, #"operation 0: there is no value at "/-""#),
    ("[1]", #"[{"op":"remove","path":"/1"}]"#, #"operation 0: "/1" is beyond the end of the array (count: 1)"#),
    ("[1]", #"[{"op":"remove","path":""}]"#, "operation 0: the whole value cannot be removed"),
    ("{}", #"[{"op":"remove","path":"/a"}]"#, #"operation 0: there is no value at "/a""#),
    ("{}", #"[{"op":"replace","path":"/a","value":1}]"#, #"operation 0: there is no value at "/a""#),
    ("{}", #"[{"op":"test","path":"/a","value":null}]"#, #"operation 0: there is no value at "/a""#),
    ("{}", #"[{"op":"move","from":"/a","path":"/b"}]"#, #"operation 0: there is no value at "/a""#),
    ("{}", #"[{"op":"move","from":"/a","path":"/a"}]"#, #"operation 0: there is no value at "/a""#),
    ("{}", #"[{"op":"copy","from":"/a","path":"/b"}]"#, #"operation 0: there is no value at "/a""#),
    (
      "1", #"[{"op":"add","path":"/a","value":1}]"#,
      #"operation 0: there is no object or array that could contain "/a""#
    ),
    (
      #"{"a":{}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#,
      #"operation 0: "/a" cannot be moved into itself, to "/a/b""#
    ),
    (#"{"a":{}}"#, #"[{"op":"move","from":"","path":"/a"}]"#, #"operation 0: "" cannot be moved into itself, to "/a""#),
    (
      #"{"a":1}"#, #"[{"op":"remove","path":"/a"},{"op":"test","path":"/a","value":1}]"#,
      #"operation 1: there is no value at "/a""#
    ),
  ])
  func failuresAreDescribedAndChangeNothing(text: String, patch: String, message: String) throws {
    let json = try JSON(parsing: text)
    #expect(failure(patch, on: text) == message)
    #expect(json.description == text, "nothing is changed")
  }

  @Test func patchesRoundTripThroughJSON() throws {
    let text =
      #"[{"op":"add","path":"/a~1b","value":1},{"op":"remove","path":""},{"op":"replace","path":"/x","value":[]},"#
      + #"{"op":"move","from":"/a","path":"/b"},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/","value":null}]"#
    let patch = try JSON.Patch(JSON(parsing: text))
    #expect(patch.json.description == text)
    #expect(try JSON.Patch(patch.json) == patch)
    #expect(patch.operations.count == 6)
  }

  @Test func resultDoesNotRetainTheOriginalDocument() throws {
    let json = try JSON(parsing: #"{"big": "\#(String(repeating: "x", count: 1000))", "part": [1, {"a": 2}]}"#)
    let part = try #require(json["part"])
    let none = try part.applying(JSON.Patch([]))
    #expect(none == part && none.index == 0 && none.document.bytes.count < 100)
    let some = try part.applying(JSON.Patch([.replace(at: JSON.Pointer("/1/a"), with: json["part"] ?? nil)]))
    #expect(some.description == #"[1,{"a":[1,{"a":2}]}]"# && some.document.bytes.count < 100)
    #expect(try json.applying(JSON.Patch([.replace(at: JSON.Pointer(), with: part)])).index == 0)
  }

  /// Copying the whole document into itself thirty times would create 2³⁰ values.
  @Test func patchesThatExceedTheSizeLimitFail() throws {
    let copies = (0..<40).map { JSON.Patch.Operation.copy(from: JSON.Pointer(), to: JSON.Pointer(tokens: ["\($0)"])) }
    let error = try #require(throws: JSON.PatchError.self) {
      try (["a": 1] as JSON).applying(JSON.Patch(copies), sizeLimit: 100_000)
    }
    #expect(error.code == .tooLarge(limit: 100_000) && (error.operationIndex ?? 0) < 20)
    #expect(error.description.hasSuffix("the result has more than 100000 bytes"))
    #expect(throws: JSON.PatchError.self) { try ([] as JSON).applying(mergePatch: ["a": "0123456789"], sizeLimit: 20) }
  }

  @Test func deeplyNestedValuesCanBePatched() throws {
    let depth = 50_000
    let deep = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    let json = try JSON(parsing: deep, options: .init(depthLimit: .max))
    let pointer = JSON.Pointer(tokens: repeatElement("a", count: depth))
    let changed = try json.applying(JSON.Patch([.replace(at: pointer, with: 2), .test(2, at: pointer)]))
    #expect(changed != json && changed[pointer] == 2)
    #expect(try json.applying(mergePatch: changed) == changed)
    #expect(try (1 as JSON).applying(mergePatch: json) == json)
  }

  /// Applying changes one by one has the same result as applying all at once. Removing added values restores the
  /// document.
  @Test func operationsAppliedOneByOneOrTogetherGiveTheSameResult() throws {
    var generator = ValueGenerator(seed: 12)
    var applied = 0
    for _ in 0..<rounds(300) {
      let json = try generator.value()
      var operations: [JSON.Patch.Operation] = []
      var current = json
      for _ in 0..<6 {
        let operation = try randomOperation(on: current, &generator)
        guard let next = try? current.applying(JSON.Patch([operation])) else { continue }
        operations.append(operation)
        current = next
      }
      #expect(try json.applying(JSON.Patch(operations)) == current, "\(json) \(JSON.Patch(operations).json)")
      #expect(try JSON(parsing: current.serialized()) == current)
      applied += operations.count
    }
    #expect(applied > rounds(300))
  }

  private func randomOperation(on json: JSON, _ generator: inout ValueGenerator) throws -> JSON.Patch.Operation {
    let (from, to) = (pointer(into: json, &generator), pointer(into: json, &generator))
    switch generator.int(0..<6) {
    case 0, 1: return .add(try generator.value(depth: 1), at: to)
    case 2: return .remove(at: from)
    case 3: return .replace(at: from, with: try generator.value(depth: 1))
    case 4: return .move(from: from, to: to)
    default: return .copy(from: from, to: to)
    }
  }

  private func pointer(into json: JSON, _ generator: inout ValueGenerator) -> JSON.Pointer {
    var pointer = JSON.Pointer()
    var value = json
    while generator.int(0..<4) != 0, value.count > 0 {
      let position = generator.int(0..<value.count)
      let token = value.kind == .array ? "\(position)" : Array(value.keys)[position]
      pointer = JSON.Pointer(tokens: pointer.tokens + [token])
      value = value.kind == .array ? value[position] ?? nil : value[token] ?? nil
    }
    if generator.int(0..<3) == 0 {
      pointer = JSON.Pointer(tokens: pointer.tokens + [["-", "new", "0"][generator.int(0..<3)]])
    }
    return pointer
  }

  /// Removed members leave no trace: with one, this would take minutes.
  @Test(.timeLimit(.minutes(5)))
  func removedMembersTakeNoTimeLater() throws {
    let round = #"""
      {"op":"add","path":"/a/k","value":1},{"op":"remove","path":"/a/k"},{"op":"test","path":"/a","value":{"x":0}}
      """#
    let rounds = [String](repeating: round, count: 20_000).joined(separator: ",")
    #expect(try apply("[\(rounds)]", to: #"{"a":{"x":0}}"#) == ["a": ["x": 0]])
  }

  @Test func membersKeepTheirOrderWhenManyAreRemoved() throws {
    let names = (0..<100).map { "m\($0)" }
    let object = "{" + names.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
    let removed = names.enumerated().filter { !$0.offset.isMultiple(of: 7) }.map(\.element)
    let operations =
      removed.map { #"{"op":"remove","path":"/\#($0)"}"# } + [#"{"op":"replace","path":"/m98","value":1}"#]
    let result = try apply("[\(operations.joined(separator: ","))]", to: object)
    #expect(Array(result.keys) == names.filter { !removed.contains($0) })
    #expect(result["m98"] == 1 && result["m91"] == "m91")
  }
}
