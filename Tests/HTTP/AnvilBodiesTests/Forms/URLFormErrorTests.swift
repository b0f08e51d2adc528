import AnvilBase
import AnvilBodies
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

@Suite struct URLFormErrorTests {
  struct User: Decodable {
    struct Name: Decodable {
      var first: String
    }
    var id: Int
    var names: [Name]?
    var name: Name?
  }

  private func failure<T: Decodable>(
    _ type: T.Type, _ form: String, _ decoder: URLForm.Decoder = URLForm.Decoder()
  ) throws -> String {
    let error = #expect(throws: DecodingError.self) { try decoder.decode(type, from: Data(form.utf8)) }
    func text(_ kind: String, _ context: DecodingError.Context) -> String {
      let place = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
      return "\(kind) at \(place): \(context.debugDescription)"
    }
    switch try #require(error) {
    case .typeMismatch(let type, let context): return text("mismatch \(type)", context)
    case .valueNotFound(let type, let context): return text("no value \(type)", context)
    case .keyNotFound(let key, let context): return text("no key \(key.stringValue)", context)
    case .dataCorrupted(let context): return text("corrupted", context)
    @unknown default: return "unknown"
    }
  }

  @Test(arguments: [
    ("", "no key id at : No value for the key \"id\"."),
    ("id=x", "mismatch Int at id: The text is not a valid Int."),
    ("id[]=1", "mismatch Int at id: The form has elements at this path instead."),
    ("id[x]=1", "mismatch Int at id: The form has keys at this path instead."),
    ("id=1&name=ada", "mismatch Dictionary<String, Any> at name: The form has text at this path instead."),
    ("id=1&name[]=ada", "mismatch Dictionary<String, Any> at name: The form has elements at this path instead."),
    ("id=1&name[last]=ada", "no key first at name: No value for the key \"first\"."),
    ("id=1&names[x]=1", "mismatch Array<Any> at names: The form has keys at this path instead."),
    ("id=1&names[0][first]=a&names[7][last]=b", "no key first at names.1: No value for the key \"first\"."),
    (
      "id=1&id[x]=1",
      "corrupted at id: The form has conflicting values at this path: text and keys."
    ),
    (
      "id=1&names[]=a&names[0]=b",
      "corrupted at names: The form has conflicting values at this path: elements and keys."
    ),
  ])
  func errorsHaveAPathAndAReason(form: String, expected: String) throws {
    #expect(try failure(User.self, form) == expected)
  }

  @Test func aMissingKeyIsReportedForAnAbsentValue() throws {
    struct Outer: Decodable {
      var name: User.Name
    }
    #expect(try failure(Outer.self, "id=1") == "no key name at : No value for the key \"name\".")
  }

  @Test func contradictionsInUnusedNamesAreIgnored() throws {
    #expect(try URLForm.Decoder().decode(User.self, from: Data("id=1&x=1&x[a]=2&x[]=3".utf8)).id == 1)
  }

  @Test func theRootMustBeKeyed() throws {
    let reason = "The root of a form must be decoded from a keyed container."
    #expect(try failure([Int].self, "0=1") == "mismatch Array<Any> at : \(reason)")
    #expect(try failure(Int.self, "1") == "mismatch Int at : \(reason)")
    #expect(try failure(String?.self, "") == "mismatch String at : \(reason)")
  }

  @Test func textThatIsNotUTF8IsAnError() throws {
    let reason = "corrupted at : The form cannot be read. Pair 2 is not UTF-8."
    #expect(try failure(User.self, "id=1&x=%FF") == reason)
    #expect(try failure(User.self, "id=1&&%ED%A0%80=") == reason)
    #expect(throws: DecodingError.self) {
      try URLForm.Decoder().decode(User.self, from: Data("id=1&x=".utf8) + [0xC3])
    }
  }

  @Test func theNumberOfPairsIsLimited() throws {
    let form = String(repeating: "a=&", count: 10_000) + "&&&"
    #expect(try URLForm.Decoder().decode([String: [String]].self, from: Data(form.utf8))["a"]?.count == 10_000)
    #expect(
      try failure([String: [String]].self, form + "b=")
        == "corrupted at : The form cannot be read. It has more than 10000 pairs.")
    #expect(throws: DecodingError.self) {
      try URLForm.Decoder(pairLimit: -1).decode([String: String].self, from: Data("a".utf8))
    }
  }

  @Test func nestingOfNamesIsLimited() throws {
    func name(_ steps: Int) -> String { "a" + String(repeating: "[b]", count: steps - 1) + "=1" }
    #expect(try URLForm.Decoder().decode(User.self, from: Data("id=1&\(name(32))".utf8)).id == 1)
    #expect(
      try failure(User.self, "id=1&\(name(33))")
        == "corrupted at : The form cannot be read. The name of pair 2 has more than 32 path components.")
    let generous = URLForm.Decoder(depthLimit: .max)
    #expect(try generous.decode(User.self, from: Data("id=1&\(name(256))".utf8)).id == 1)
    #expect(throws: DecodingError.self) { try generous.decode(User.self, from: Data("id=1&\(name(257))".utf8)) }
  }

  /// Inputs that would be slow or fatal with counting, unlimited recursion or quadratic comparison.
  @Test(arguments: [
    "v[4294967296999999999]=1", String(repeating: "v[][a]=1&", count: 9_000),
    String(repeating: "v[a][][b][][c]=1&", count: 9_000), "v" + String(repeating: "[", count: 50_000) + "=1",
    "v=" + String(repeating: "%", count: 50_000), "v=" + String(repeating: "1", count: 50_000) + "x",
    "v=1e" + String(repeating: "9", count: 50_000), (0..<9_000).map { "v[\(9_000 - $0)]=1" }.joined(separator: "&"),
    String(repeating: "%5B%5D%25=%00&", count: 5_000),
  ])
  func hostileFormsAreHandledQuickly(form: String) throws {
    let decoder = URLForm.Decoder()
    let data = Data(form.utf8)
    let texts = Result { try decoder.decode([String: [String]].self, from: data) }
    let nested = Result { try decoder.decode([String: [[String: Int]]].self, from: data) }
    let numbers = Result { try decoder.decode([String: Decimal].self, from: data) }
    #expect([(try? texts.get()) != nil, (try? nested.get()) != nil, (try? numbers.get()) != nil].contains(false))
  }

  @Test func recursiveTypesDoNotRecurseForever() throws {
    final class Endless: Decodable {
      let next: Endless
    }
    #expect(try failure(Endless.self, "") == "no key next at : No value for the key \"next\".")
  }

  @Test func randomBytesAreDecodedOrRejected() {
    var random = SeededGenerator(seed: 7)
    let alphabet = Array("a0[]%&=+5BD\u{FF}".utf8)
    var refused = 0
    for _ in 0..<rounds(3_000) {
      let data = Data(
        (0..<Int.random(in: 0..<40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
      do {
        _ = try URLForm.Decoder().decode([String: [String: [String]]].self, from: data)
      } catch {
        refused += 1
        #expect(error is DecodingError)
      }
    }
    #expect((1..<rounds(3_000)).contains(refused))
  }
}
