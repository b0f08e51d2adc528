import AnvilJSON
import AnvilTestSupport
import Testing

/// A key finds the first member with that key, whatever was looked up before.
@Suite struct MappingLookupTests {
  /// A document of nested objects, with its members in plain Swift collections.
  private struct Sample {
    let json: JSON
    /// Members in their order: a number, or an object in `inner`.
    let members: [(key: String, value: Int)]
    let inner: [String: [(key: String, value: Int)]]

    init(using generator: inout SeededGenerator) throws {
      let alphabet = ["a", "b", "id", "name", "stargazers_url", "stargazers_uri", "a key longer than sixteen", "é", ""]
      func object() -> [(key: String, value: Int)] {
        let count = Int.random(in: 0...12, using: &generator)
        return (0..<count).map { number in
          // Some keys repeat, most do not.
          let key = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
          return (Bool.random(using: &generator) ? key : key + String(number), number)
        }
      }
      func text(of members: [(key: String, value: Int)], more: [String]) -> String {
        "{" + (members.map { #""\#($0.key)": \#($0.value)"# } + more).joined(separator: ", ") + "}"
      }
      members = object()
      inner = ["inner 1": object(), "inner 2": object()]
      json = try JSON(
        parsing: text(of: members, more: inner.map { #""\#($0.key)": \#(text(of: $0.value, more: []))"# }))
    }

    func check(using generator: inout SeededGenerator) throws {
      let key = members.randomElement(using: &generator)?.key ?? "none"
      let missing = "missing \(Int.random(in: 0..<3, using: &generator))"
      let found: Int? = try json =>? JSON.OptionalPath(JSON.Path(key))
      #expect(found == members.first { $0.key == key }?.value)
      let none: Int? = try json =>? JSON.OptionalPath(JSON.Path(missing))
      #expect(none == nil)
      guard Bool.random(using: &generator), let (name, members) = inner.randomElement(using: &generator) else { return }
      let object: JSON = try json => JSON.Path(name)
      for (key, _) in members {
        let found: Int = try object => JSON.Path(key)
        #expect(found == members.first { $0.key == key }?.value)
        let again: Int = try json => JSON.Path(name) => JSON.Path(key)
        #expect(again == found)
      }
    }
  }

  @Test func everyOrderOfKeysFindsTheFirstMember() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let sample = try Sample(using: &generator)
      for _ in 0..<20 { try sample.check(using: &generator) }
      // In the order of the members, as in models.
      for (key, _) in sample.members {
        let found: Int = try sample.json => JSON.Path(key)
        #expect(found == sample.members.first { $0.key == key }?.value)
      }
    }
  }

  @Test func objectsOfManyMembersAreSearched() throws {
    for count in [255, 256, 257, 1000] {
      let json = try JSON(parsing: "{\((0..<count).map { #""key \#($0)": \#($0)"# }.joined(separator: ", "))}")
      for number in (0..<count).reversed() + Array(0..<count) {
        let found: Int = try json => JSON.Path("key \(number)")
        #expect(found == number)
      }
    }
  }

  @Test func threadsMayReadOneDocument() async throws {
    let json = try JSON(
      parsing: #"{"a": {"b": 1, "c": 2, "b": 3}, "d": {"e": 4, "f": 5}, "g": 6, "h": [{"i": 7}, {"i": 8}], "g": 9}"#)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var wrong = 0
          for round in 0..<2000 {
            let first: Int = try json => "a" => (round % 2 == 0 ? "b" : "c")
            let second: Int = try json => "d" => ((round + task) % 2 == 0 ? "e" : "f")
            let third: [Int] = try [json => "g", json => "h" => 0 => "i", json => "h" => 1 => "i", json => "g"]
            wrong += first == (round % 2 == 0 ? 1 : 2) ? 0 : 1
            wrong += second == ((round + task) % 2 == 0 ? 4 : 5) ? 0 : 1
            wrong += third == [6, 7, 8, 6] ? 0 : 1
          }
          return wrong
        }
      }
      for try await wrong in group { #expect(wrong == 0) }
    }
  }
}
