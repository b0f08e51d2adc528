import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

@Suite struct URITemplateTests {
  static let variables: [String: URITemplate.Value] = [
    "var": "value", "hello": "Hello World!", "path": "/foo/bar", "empty": "", "x": 1024, "y": 768,
    "list": ["red", "green", "blue"], "keys": ["semi": ";", "dot": ".", "comma": ","], "none": [], "word": "drücken",
    "flag": "🏳️‍🌈ab", "half": "a%2Fb%zz",
  ]

  @Test(arguments: [
    ("", ""), ("no variables", "no%20variables"), ("{var}", "value"), ("{+path}/here", "/foo/bar/here"),
    ("X{#var,hello}", "X#value,Hello%20World!"), ("{.x,y}", ".1024.768"), ("{/var,x}/here", "/value/1024/here"),
    ("{;x,empty}", ";x=1024;empty"), ("{?x,empty,missing}", "?x=1024&empty="), ("?a=b{&x}", "?a=b&x=1024"),
    ("{missing}", ""), ("{?none,missing}", ""), ("{var:3}{var:30}", "valvalue"),
    ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
    ("{/list*}", "/red/green/blue"), ("{keys}", "semi,%3B,dot,.,comma,%2C"), ("{word:3}", "dr%C3%BC"),
    ("{flag:1}", "%F0%9F%8F%B3"), ("{half}", "a%252Fb%25zz"), ("{+half}", "a%2Fb%25zz"),
    ("straße%20{x}", "stra%C3%9Fe%201024"),
  ])
  func expandsTheExamplesOfTheRFC(template: String, expected: String) throws {
    #expect(try URITemplate(template).expanded(Self.variables) == expected)
  }

  @Test(arguments: [
    ("{", 1), ("/{var", 1), ("a}", 1), ("{}", 1), ("{!x}", 1), ("{x:}", 3), ("{x:0}", 3), ("{x:12345}", 7),
    ("{x:1*}", 4),
    ("{x.}", 3), ("{a b}", 2), ("{%zz}", 1), ("{\0x}", 1), ("{x,}", 3), ("é{+}", 4),
  ])
  func invalidTemplatesAreRejectedWithThePosition(template: String, offset: Int) {
    let error = #expect(throws: URITemplate.SyntaxError.self) { try URITemplate(template) }
    #expect(error?.offset == offset)
  }

  @Test(arguments: ["{list:1}", "{?keys:2}"])
  func aPrefixOfSeveralValuesIsRejected(template: String) throws {
    let template = try URITemplate(template)
    let error = #expect(throws: URITemplate.PrefixError.self) { try template.expanded(Self.variables) }
    #expect(error?.variable == template.variableNames[0])
  }

  @Test func variablesAreListedOnce() throws {
    #expect(try URITemplate("/{a}{?b,a,c*}{&b:2}").variableNames == ["a", "b", "c"])
  }

  // MARK: The public suite

  static let folder = Corpora.folder?.appending(path: "uritemplate")

  private func value(_ json: JSON) -> URITemplate.Value? {
    switch json.kind {
    case .null: nil
    case .array: .list(json.elements.compactMap(\.string))
    case .object: .pairs(json.members.compactMap { member in member.value.string.map { (member.key, $0) } })
    default: .string(json.string ?? json.numberText ?? "\(json)")
    }
  }

  @Test(
    .enabled(if: folder != nil, "the corpora are not here: set ANVIL_CORPORA"),
    arguments: [
      ("spec-examples", 64), ("spec-examples-by-section", 117), ("extended-tests", 53), ("negative-tests", 36),
    ])
  func thePublicTestSuitePasses(name: String, count: Int) throws {
    let folder = try #require(Self.folder)
    var cases = 0
    for (section, group) in try JSON(parsing: Data(contentsOf: folder.appending(path: "\(name).json"))).members {
      let variables = group["variables"]?.members.compactMap { member in value(member.value).map { (member.key, $0) } }
      let values = Dictionary(variables ?? []) { first, _ in first }
      for test in try #require(group["testcases"]).elements {
        cases += 1
        let text = try #require(test[0]?.string)
        let found = try? URITemplate(text).expanded(values)
        switch test[1]?.kind {
        case .string: #expect(found == test[1]?.string, "\(section): \(text)")
        case .array: #expect(test[1]?.elements.contains { $0.string == found } == true, "\(section): \(text)")
        default: #expect(found == nil, "\(section): \(text)")
        }
      }
    }
    #expect(cases == count)
  }
}

extension URITemplate.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .string(String(value)) }
  package init(arrayLiteral elements: String...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, String)...) { self = .pairs(elements.map { ($0, $1) }) }
}
