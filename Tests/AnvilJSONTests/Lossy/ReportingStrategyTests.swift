import AnvilJSON
import Foundation
import Testing

private enum Status: String, JSONDecodable { case active }

private struct Person: JSONDecodable, Equatable {
  var name: String

  static func decode(_ json: JSON) throws -> Person { try Person(name: json => "first" => "name") }
}

@Suite struct ReportingStrategyTests {
  @Test func arraysLeaveOutWhatDoesNotDecode() throws {
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

  @Test func dictionariesLeaveOutWhatDoesNotDecode() throws {
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
        lossy.unknown-case at states[1]: no case of Status
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

  @Test func closuresStillGetTheErrors() throws {
    let json = try JSON(parsing: #"[1, "x"]"#)
    var paths: [JSON.Path] = []
    #expect(try [Int].decode(json, skippingInvalid: { paths.append($0.path) }) == [1])
    #expect(paths == [[1]])
  }
}
