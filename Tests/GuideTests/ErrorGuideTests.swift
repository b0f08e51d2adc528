import AnvilClient
import AnvilTestSupport
import Foundation
import Testing

/// The guide "Errors" has a table for every type of error codes, with a link to the page of each code, and that page has advice.
@Suite struct ErrorGuideTests {
  /// The codes of a type of the public API, by `API/*.txt`.
  struct CodeType: CustomTestStringConvertible {
    var name: String
    var codes: [String]
    var testDescription: String { name }
  }

  /// Public enumerations that are errors or the codes of errors.
  private static let types = Result {
    let folder = Checkout.root.appending(path: "API")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "txt" }.flatMap { file in
      types(in: try String(contentsOf: file, encoding: .utf8))
    }
  }

  private static func types(in text: String) -> [CodeType] {
    var types: [CodeType] = []
    var isWanted = false
    for line in text.split(separator: "\n") {
      if let declaration = line.firstMatch(of: #/^(?:@nonexhaustive )?enum ([\w.]+): (.+)$/#) {
        let name = String(declaration.1)
        let protocols = declaration.2.split(separator: ", ")
        let isError = protocols.contains { $0 == "Error" || $0 == "LocalizedError" }
        // The cases of `DecodingFailure` are named after the errors that they wrap.
        isWanted =
          (isError && name != "DecodingFailure") || name.hasSuffix("Error.Code") || name.hasSuffix("Constraint")
        if isWanted { types.append(CodeType(name: name, codes: [])) }
      } else if !line.hasPrefix(" ") {
        isWanted = false
      } else if isWanted, let code = line.firstMatch(of: #/^  case (\w+)/#) {
        types[types.count - 1].codes.append(String(code.1))
      }
    }
    return types
  }

  /// The codes in the first column of each section's table.
  private static func tables() throws -> [String: [String]] {
    var tables: [String: [String]] = [:]
    var section = ""
    for line in try Checkout.guide("Errors").split(separator: "\n") {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      if let row = line.firstMatch(of: #/^\| \[`\.(\w+)`\]\(doc:(\S+)\) \| [^|]+ \| [^|]+ \|$/#) {
        let target = row.2.replacing(#/^\/\w+\/|\(.*$/#, with: "").replacing("/", with: ".")
        #expect(target == "\(section).\(row.1)", "the link of .\(row.1) leads to another page")
        tables[section, default: []].append(String(row.1))
      }
    }
    return tables
  }

  @Test func everyTypeHasATableWithAllOfItsCodes() throws {
    let types = try Self.types.get()
    let tables = try Self.tables()
    for type in types {
      let listed = tables[type.name]?.sorted()
      #expect(listed == type.codes.sorted(), "Errors.md, section \(type.name)")
    }
    #expect(Set(tables.keys).subtracting(types.map(\.name)) == ["JSON.Diagnosis.Code"])
  }

  @Test func tableOfTransportErrorsMatchesTheSource() throws {
    let listed = try #require(Self.tables()["TransportError.Code"])
    #expect(listed.sorted() == TransportError.Code.Kind.allCases.map(\.rawValue).sorted())
  }

  @Test func tableOfDiagnosisCodesMatchesTheSource() throws {
    let source = Checkout.root.appending(path: "Sources/JSON/AnvilDiagnosis/Diagnosis/JSON.Diagnosis.swift")
    let codes = try String(contentsOf: source, encoding: .utf8).matches(of: #/static let (\w+) = Code/#).map {
      String($0.1)
    }
    #expect(try Self.tables()["JSON.Diagnosis.Code"]?.sorted() == codes.sorted())
  }

  /// The doc comments of the codes, by their full names, such as `StoreError.Code.busy`.
  private static func comments(in source: String) -> [String: [Substring]] {
    var comments: [String: [Substring]] = [:]
    var types: [(indentation: Int, name: Substring)] = []
    var comment: [Substring] = []
    for line in source.split(separator: "\n") {
      let indentation = line.prefix { $0 == " " }.count
      let text = line.dropFirst(indentation)
      types.removeAll { $0.indentation >= indentation }
      if text.hasPrefix("///") {
        comment.append(text.dropFirst(3))
        continue
      }
      if let type = text.firstMatch(of: #/^(?:public )?(?:extension|struct|enum) ([\w.]+)/#) {
        types.append((indentation, type.1))
      } else if let code = text.firstMatch(of: #/^(?:case|public static let) (\w+)/#) {
        comments[(types.map(\.name) + [code.1]).joined(separator: "."), default: []] += comment
      }
      comment = []
    }
    return comments
  }

  @Test func pageOfEveryCodeHasAdvice() throws {
    let sources = Checkout.root.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: sources.path())?.compactMap { $0 as? String } ?? []
    var comments: [String: [Substring]] = [:]
    for path in paths where path.hasSuffix(".swift") {
      let source = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      guard source.contains("What to do: ") else { continue }
      comments.merge(Self.comments(in: source)) { $0 + $1 }
    }
    for (type, codes) in try Self.tables() {
      for code in codes {
        let comment = comments["\(type).\(code)", default: []]
        #expect(comment.first?.contains("What to do: ") == false, "\(type).\(code) has no meaning")
        #expect(
          comment.contains { $0.hasPrefix(" What to do: ") }, "\(type).\(code) has no advice after \"What to do: \"")
      }
    }
  }

  @Test func errorTypesAreFound() throws {
    let names = try Set(Self.types.get().map(\.name))
    #expect(
      names.isSuperset(of: [
        "TransportError.Code", "HTTP.MessageError", "JSON.SyntaxError.Code", "JSON.ReadingError.Code",
        "StoreError.Code",
        "PullError.Code",
      ]))
  }
}
