import Anvil
import Foundation
import Testing

// sample: strict
struct Commit: JSONDecodable {
  let sha: String, author: String, files: [String], note: String?

  static func decode(_ json: JSON) throws -> Commit {
    try Commit(
      sha: json => "sha",
      author: json => "author" => "login",
      files: json => "files",
      note: json =>? "note" => "text")  // "note" may be missing, but not its "text"
  }
}
// end sample

// sample: writing
extension Commit: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("sha", sha)
      members.object("author") { author in author.write("login", self.author) }
      members.write("files", files)
      if let note { members.object("note") { text in text.write("text", note) } }
    }
  }
}
// end sample

class Person: JSONDecodable {
  let name: String

  required init(_ json: JSON) throws {
    name = try json => "name"
  }

  static func decode(_ json: JSON) throws -> Self { try Self(json) }
}

final class Student: Person {
  let school: String

  required init(_ json: JSON) throws {
    school = try json => "school" => "name"
    try super.init(json)
  }
}

@Suite struct JSONSamples {
  @Test func valuesAreRead() throws {
    // sample: value
    let json = try JSON(parsing: #"{"people": [{"login": "ada", "age": 36}], "next": null}"#)
    let login = json["people"]?[0]?["login"]  // of type JSON?, and equal to "ada"
    let isLast = json["next"]?.kind == .null  // the key exists, and its value is null
    let age: Int = try json => "people" => 0 => "age"
    // end sample
    #expect(login == "ada" && isLast && age == 36)
  }

  @Test func documentsArriveInPieces() throws {
    var printed: [String] = []
    func print(_ texts: String...) { printed.append(texts.joined(separator: " ")) }
    // sample: partial
    var parser = JSON.PartialParser()
    for piece in [#"{"title": "A bet"#, #"ter ti"#, #"tle", "done": tr"#, "ue}"] {
      try parser.append(piece)
      let title = parser.value?["title"]
      print(title?.string ?? "", title?.isOpen == true ? "…" : "")
    }
    let document = try parser.finish()  // throws if the document is not complete
    // end sample
    #expect(printed == ["A bet …", "A better ti …", "A better title ", "A better title "])
    #expect(document == ["title": "A better title", "done": true])
  }

  @Test func modelsAreWrittenByHand() throws {
    let commit = Commit(sha: "f00", author: "ada", files: ["fire.swift"], note: nil)
    // sample: written
    let data = try JSON.write(commit)
    let sha = try JSON(encoding: commit)["sha"]
    // end sample
    #expect(sha == "f00")
    #expect(String(decoding: data, as: UTF8.self) == #"{"sha":"f00","author":{"login":"ada"},"files":["fire.swift"]}"#)
  }

  @Test func modelsAreMapped() throws {
    let text = #"{"sha": "f00", "author": {"login": "ada"}, "files": ["fire.swift"]}"#
    // sample: mapping
    let commit = try Commit.decode(JSON(parsing: text))
    // end sample
    #expect(commit.sha == "f00" && commit.note == nil)
    let error = #expect(throws: MissingKeyError.self) {
      try Commit.decode(JSON(parsing: #"{"sha": "f00", "author": {"id": 1}}"#))
    }
    #expect(try #require(error).description == #"MissingKeyError at object.author: login in {"id": 1}"#)
  }

  @Test func classesAreMapped() throws {
    let json = try JSON(parsing: #"[{"name": "ada", "school": {"name": "home"}}]"#)
    let students = try [Student].decode(json)
    let person: Person = try json => 0
    #expect(students.first?.school == "home" && person.name == "ada")
  }

  @Test func invalidElementsAreSkippedAndReported() throws {
    let text = #"[{"sha": "f00", "author": {"login": "ada"}, "files": []}, {"sha": 1}]"#
    // sample: skipping
    var problems: [any Error] = []
    let commits = try [Commit].decode(JSON(parsing: text), skippingInvalid: { problems.append($0) })
    // end sample
    #expect(commits.count == 1 && problems.count == 1)
  }

  @Test func codersHaveTheInterfaceOfFoundation() throws {
    struct Event: Codable, Equatable { var createdAt: Date, tags: [String] }
    let data = Data(#"{"created_at": "2026-11-21T08:00:00Z", "tags": ["a"]}"#.utf8)
    // sample: coders
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let event = try decoder.decode(Event.self, from: data)

    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let text = try encoder.encode(event)
    // end sample
    #expect(event.tags == ["a"] && !text.isEmpty)
  }

  @Test func syntaxErrorsHaveALocation() {
    // sample: syntax
    do {
      _ = try JSON(parsing: "{\"a\": 1,\n \"b\": }")
    } catch {
      print("line \(error.line), column \(error.column): \(error)")
    }
    // end sample
    let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: "{\"a\": 1,\n \"b\": }") }
    #expect(error?.line == 2)
  }

  @Test func documentsAreBuilt() throws {
    // sample: building
    let search: JSON = ["query": "hammers", "page": 2, "sort": ["price", "name"], "shop": nil]
    let body = HTTP.Body(search.serializedText(), contentType: .applicationJSON)
    // end sample
    #expect(body.string == #"{"query":"hammers","page":2,"sort":["price","name"],"shop":null}"#)
  }
}
