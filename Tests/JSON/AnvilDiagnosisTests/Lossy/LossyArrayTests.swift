import AnvilDiagnosis
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

private struct Guest: Codable, Hashable {
  struct Address: Codable, Hashable { var street: String }

  var id: Int
  var address: Address?
}

private struct Page: Codable, Hashable {
  @LossyArray var users: [Guest]
}

private struct Grid: Codable, Equatable {
  @LossyArray var rows: [LossyArray<Int>]
}

private struct Team: Codable, Equatable {
  var name: String
  @LossyArray var members: [Int]
}

private struct League: Codable, Equatable {
  @LossyArray var teams: [Team]
}

@Suite(.timeLimit(.minutes(15))) struct LossyArrayTests {
  @Test(arguments: AnyDecoder.allCases) func invalidElementsAreSkippedAndReported(_ decoder: AnyDecoder) throws {
    let (page, report) = try decoder.decode(
      Page.self,
      #"{"users": [{"id": 1}, {"id": "x"}, {}, {"id": 4, "address": {"street": 5}}, [], {"id": 6}]}"#)
    #expect(page.users.map(\.id) == [1, 6])
    #expect(page.$users.skippedCount == 4)
    #expect(
      report.description == """
        lossy.skipped-element at users[1]: expected Int at users[1].id
        lossy.skipped-element at users[2]: missing id
        lossy.skipped-element at users[3]: expected String at users[3].address.street
        lossy.skipped-element at users[4]: expected [String: Any]
        """)
    #expect(report.entries.map(\.code) == Array(repeating: .skippedElement, count: 4))
    #expect(report.entries.map(\.path) == [["users", 1], ["users", 2], ["users", 3], ["users", 4]])
    #expect(report.entries.allSatisfy { $0.error is DecodingError })
    #expect(report.omittedCount == 0)
  }

  @Test func detailsContainTheDecodersDescription() throws {
    let (_, report) = try AnyDecoder.anvil.decode(LossyArray<Int8>.self, #"["secret", 300, 1, null]"#)
    #expect(
      report.description == """
        lossy.skipped-element at [0]: expected Int8
        lossy.skipped-element at [1]: invalid value
        lossy.skipped-element at [3]: expected Int8, found null
        """)
    #expect(
      report.detailedDescription == """
        lossy.skipped-element at [0]: expected Int8 (Expected Int8, found a string.)
        lossy.skipped-element at [1]: invalid value (The number 300 does not fit Int8.)
        lossy.skipped-element at [3]: expected Int8, found null (Expected Int8, found null.)
        """)
  }

  @Test(arguments: AnyDecoder.withNull) func nullIsSkippedUnlessTheTypeIsOptional(_ decoder: AnyDecoder) throws {
    let (numbers, report) = try decoder.decode(LossyArray<Int>.self, "[null, 1, null, 2, null]")
    #expect(numbers == [1, 2])
    #expect(report.entries.map(\.path) == [[0], [2], [4]])
    let (optional, none) = try decoder.decode(LossyArray<Int?>.self, #"[null, 1, "x"]"#)
    #expect(optional == [nil, 1])
    #expect(none.entries.map(\.path) == [[2]])
  }

  @Test(arguments: AnyDecoder.allCases) func emptyAndValidArraysReportNothing(_ decoder: AnyDecoder) throws {
    let (page, report) = try decoder.decode(Page.self, #"{"users": [{"id": 1}, {"id": 2}]}"#)
    #expect(page == Page(users: [Guest(id: 1), Guest(id: 2)]))
    #expect(report.isEmpty && page.$users.skippedCount == 0)
    let (empty, nothing) = try decoder.decode(Page.self, #"{"users": []}"#)
    #expect(empty == Page(users: []))
    #expect(nothing.isEmpty)
  }

  @Test(arguments: AnyDecoder.allCases) func valuesThatAreNotArraysAreErrors(_ decoder: AnyDecoder) throws {
    #expect(throws: DecodingError.self) { try decoder.decode(Page.self, #"{"users": {"id": 1}}"#) }
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Page.self, "{}") }
    guard case .keyNotFound(let key, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(key.stringValue == "users")
  }

  @Test(arguments: AnyDecoder.withNull) func nullForAnArrayIsAnError(_ decoder: AnyDecoder) {
    #expect(throws: DecodingError.self) { try decoder.decode(Page.self, #"{"users": null}"#) }
  }

  @Test(arguments: AnyDecoder.allCases) func nestedArraysSkipTheirOwnElements(_ decoder: AnyDecoder) throws {
    let (grid, report) = try decoder.decode(Grid.self, #"{"rows": [[1, "x", 2], "y", [], ["z"]]}"#)
    #expect(grid.rows.map(\.wrappedValue) == [[1, 2], [], []])
    #expect(
      report.description == """
        lossy.skipped-element at rows[0][1]: expected Int
        lossy.skipped-element at rows[1]: expected [Any]
        lossy.skipped-element at rows[3][0]: expected Int
        """)
    #expect(grid.rows.map(\.skippedCount) == [1, 0, 1])
  }

  @Test(arguments: AnyDecoder.allCases)
  func nothingIsReportedInsideASkippedElement(_ decoder: AnyDecoder) throws {
    // The members are decoded and reported before the name.
    struct Late: Decodable {
      @LossyArray var members: [Int]
      var name: String
    }
    let (late, report) = try decoder.decode(
      LossyArray<Late>.self,
      #"[{"members": ["a"], "name": "A"}, {"members": ["b", 1, "c"]}, {"members": ["d"], "name": "D"}]"#)
    #expect(late.wrappedValue.map(\.name) == ["A", "D"])
    #expect(
      report.description == """
        lossy.skipped-element at [0].members[0]: expected Int
        lossy.skipped-element at [1]: missing name
        lossy.skipped-element at [2].members[0]: expected Int
        """)
  }

  @Test(arguments: AnyDecoder.withNull) func invalidElementsAreSkippedWithoutAReport(_ decoder: AnyDecoder) throws {
    let page = try decoder.decodeSilently(Page.self, #"{"users": [{"id": 1}, null, 2]}"#)
    #expect(page == Page(users: [Guest(id: 1)]))
    #expect(page.$users.skippedCount == 2)
  }

  @Test func strategiesApplyToElements() throws {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    struct Log: Decodable {
      @LossyArray var loggedAt: [Date]
    }
    let (log, report) = try decoder.decodeReporting(Log.self, from: Data(#"{"logged_at": [0, "x", 1]}"#.utf8))
    #expect(log.loggedAt == [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1)])
    #expect(report.description == "lossy.skipped-element at loggedAt[1]: expected Double")
  }

  @Test func equalityAndHashesAreThoseOfTheElements() throws {
    let (lossy, _) = try AnyDecoder.anvil.decode(LossyArray<Int>.self, #"[1, "x"]"#)
    #expect(lossy.skippedCount == 1)
    #expect(lossy == LossyArray(wrappedValue: [1]))
    #expect(lossy.hashValue == LossyArray(wrappedValue: [1]).hashValue)
    #expect(lossy != [2])
  }

  @Test func encodesAsAnArray() throws {
    let page = Page(users: [Guest(id: 1, address: .init(street: "a"))])
    let data = try JSON.Encoder().encode(page)
    #expect(String(decoding: data, as: UTF8.self) == #"{"users":[{"id":1,"address":{"street":"a"}}]}"#)
    #expect(try JSON.Decoder().decode(Page.self, from: data) == page)
    #expect(try JSONDecoder().decode(Page.self, from: JSONEncoder().encode(page)) == page)
    #expect(try PropertyListDecoder().decode(Page.self, from: PropertyListEncoder().encode(page)) == page)
  }

  /// A hundred thousand paths would take minutes in quadratic time.
  @Test(arguments: AnyDecoder.withNull) func aHugeArrayOfFailuresKeepsALimitedReport(_ decoder: AnyDecoder) throws {
    let count = rounds(100_000)
    let text =
      #"{"teams": [{"name": "A", "members": ["#
      + Array(repeating: #""x""#, count: count).joined(separator: ",") + "]}, "
      + Array(repeating: #"{"name": 1}"#, count: count).joined(separator: ",") + "]}"
    let (league, report) = try decoder.decode(League.self, text)
    #expect(league == League(teams: [Team(name: "A", members: [])]))
    #expect(league.teams.first?.$members.skippedCount == count)
    #expect(league.$teams.skippedCount == count)
    #expect(report.entries.count == 1000)
    #expect(report.omittedCount == 2 * count - 1000)
    #expect(report.entries.last?.description == "lossy.skipped-element at teams[0].members[999]: expected Int")
    #expect(report.description.hasSuffix("expected Int\nand \(2 * count - 1000) more"))
  }
}
