import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

private enum Status: String, JSONDecodable { case active }

private struct Person: JSONDecodable, Equatable {
  var name: String

  static func decode(_ json: JSON) throws -> Person { try Person(name: json => "first" => "name") }
}

@Suite struct ReportingStrategyTests {
  @Test func arraysSkipInvalidElements() throws {
    let json = try JSON(
      parsing:
        #"{"people": [{"first": {"name": "Ann"}}, {"first": {"name": 5}}, {"first": {}}, {"first": {"name": "Bo"}}, 1]}"#
    )
    let report = DecodingReport()
    let people: [Person] = try json => ("people", .array(skippingInvalid: report))
    #expect(people == [Person(name: "Ann"), Person(name: "Bo")])
    #expect(
      report.description == """
        lossy.skipped-element at people[1]: expected String, found number at people[1].first.name
        lossy.skipped-element at people[2]: missing name at people[2].first
        lossy.skipped-element at people[4]: expected object, found number
        """)
    #expect(report.entries.allSatisfy { $0.error is any JSONDecodingError })
    #expect(
      report.entries.first?.detailedDescription == """
        lossy.skipped-element at people[1]: expected String, found number at people[1].first.name \
        (TypeMismatchError at object.people[1].first.name: expected String, found number in 5)
        """)
    #expect(throws: TypeMismatchError.self) { try json => ([], .array(skippingInvalid: report)) as [Person] }
    #expect(throws: MissingKeyError.self) { try json => ("none", .array(skippingInvalid: report)) as [Person] }
    let none: [Person]? = try json =>? ("none", .array(skippingInvalid: report))
    #expect(none == nil)
  }

  @Test func dictionariesSkipInvalidMembers() throws {
    let json = try JSON(parsing: #"{"scores": {"ann": 1, "bob": "x", "ann": 3, "cy": null}}"#)
    let report = DecodingReport()
    let scores: [String: Int] = try json => ("scores", .dictionary(skippingInvalid: report))
    #expect(scores == ["ann": 1])
    #expect(
      report.description == """
        lossy.skipped-member at scores.bob: expected Int, found string
        lossy.skipped-member at scores.cy: expected Int, found null
        """)
    #expect(throws: TypeMismatchError.self) { try json => ("scores", .array(skippingInvalid: report)) as [Int] }
  }

  @Test func strategiesOfElementsReportToo() throws {
    let json = try JSON(parsing: #"{"states": ["active", "new", 5], "ids": ["1", 2, "x", "99999999999999999999"]}"#)
    let report = DecodingReport()
    let states: [OpenEnum<Status>] =
      try json => ("states", .array(of: .openEnum(reportingTo: report), skippingInvalid: report))
    #expect(states == [.known(.active), .unknown("new")])
    let ids: [Int] = try json => ("ids", .array(of: .numberOrString(reportingTo: report), skippingInvalid: report))
    #expect(ids == [1, 2])
    #expect(
      report.description == """
        lossy.unknown-case at states[1]: not a case of Status
        lossy.skipped-element at states[2]: expected String, found number
        lossy.number-from-string at ids[0]: Int
        lossy.skipped-element at ids[2]: expected Int, found string
        lossy.skipped-element at ids[3]: expected Int, found string
        """)
  }

  @Test func defaultsAreReported() throws {
    let json = try JSON(parsing: #"{"user": {"age": null, "name": "a"}}"#)
    let report = DecodingReport()
    let user: JSON = try json => "user"
    #expect(try user.value(ifPresentAt: "age", default: 18, reportingTo: report) == 18)
    #expect(try user.value(ifPresentAt: "size", default: 1, reportingTo: report) == 1)
    #expect(try user.value(ifPresentAt: "name", default: "b", reportingTo: report) == "a")
    #expect(
      report.description == """
        lossy.default-value at user.age: null
        lossy.default-value at user.size: missing
        """)
    #expect(throws: TypeMismatchError.self) { try user.value(ifPresentAt: "name", default: 1, reportingTo: report) }
  }

  @Test func nothingIsReportedInsideASkippedElement() throws {
    let json = try JSON(parsing: #"[["1", 2], ["1", "x"], 3, ["x", "4"]]"#)
    let report = DecodingReport()
    let rows: [[Int]] =
      try json => (
        [], .array(of: .array(of: .numberOrString(reportingTo: report)), skippingInvalid: report)
      )
    #expect(rows == [[1, 2]])
    #expect(
      report.description == """
        lossy.number-from-string at [0][0]: Int
        lossy.skipped-element at [1]: expected Int, found string at [1][1]
        lossy.skipped-element at [2]: expected array, found number
        lossy.skipped-element at [3]: expected Int, found string at [3][0]
        """)
  }

  /// A hundred thousand paths would take minutes in quadratic time.
  @Test(.timeLimit(.minutes(15))) func hugeArraysOfFailuresKeepALimitedReport() throws {
    let count = 100_000
    let numbers = Array(repeating: "1", count: count) + Array(repeating: #""1""#, count: 1000)
    let rows = Array(repeating: #"["x"]"#, count: count)
    let json = try JSON(parsing: "[[\(numbers.joined(separator: ","))], [\(rows.joined(separator: ","))]]")
    let report = DecodingReport()
    let ones: [Int] = try json => (0, .array(of: .numberOrString(reportingTo: report)))
    #expect(ones == Array(repeating: 1, count: count + 1000))
    #expect(report.entries.last?.path == [0, JSON.Path(count + 999)])
    report.removeAll()
    let none: [[Int]] = try json => (1, .array(of: .array(skippingInvalid: report)))
    #expect(none == Array(repeating: [], count: count))
    #expect(report.entries.map(\.path) == (0..<1000).map { [1, JSON.Path($0), 0] })
    #expect(report.omittedCount == count - 1000)
  }

  @Test func oneStrategyCanBeUsedForManyDocuments() throws {
    let report = DecodingReport()
    let strategy = JSON.DecodingStrategy<[Int]>.array(skippingInvalid: report)
    for (number, text) in [#"[1, [2, "x"]]"#, #"["a", ["b", "c", 3]]"#, #"[["d"], [4], "e"]"#].enumerated() {
      let json = try JSON(parsing: text)
      report.removeAll()
      let paths: [[JSON.Path]] = [[[1, 1]], [[1, 0], [1, 1]], []]
      _ = try json.value(at: 1, with: strategy)
      #expect(report.entries.map(\.path) == paths[number])
      _ = try? json.value(at: 0, with: strategy)
      #expect(report.entries.last?.path == (number == 2 ? [0, 0] : paths[number].last))
    }
  }

  @Test func skippingClosuresReceiveTheErrors() throws {
    let json = try JSON(parsing: #"[1, "x"]"#)
    var paths: [JSON.Path] = []
    #expect(try [Int].decode(json, skippingInvalid: { paths.append($0.path) }) == [1])
    #expect(paths == [[1]])
  }
}
