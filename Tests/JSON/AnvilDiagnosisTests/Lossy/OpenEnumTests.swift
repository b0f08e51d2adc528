import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

private enum Status: String, Codable { case active, blocked }
private enum Rank: Int, Codable { case low = 1, high }

private struct Account: Codable, Hashable {
  var status: OpenEnum<Status>
  var level: OpenEnum<Rank>?
}

@Suite struct OpenEnumTests {
  @Test(arguments: AnyDecoder.allCases) func knownCasesAreNotReported(_ decoder: AnyDecoder) throws {
    let (account, report) = try decoder.decode(Account.self, #"{"status": "active", "level": 2}"#)
    #expect(account == Account(status: .known(.active), level: .known(.high)))
    #expect(account.status.value == .active)
    #expect(report.isEmpty)
  }

  @Test(arguments: AnyDecoder.allCases) func unknownCasesKeepTheirRawValue(_ decoder: AnyDecoder) throws {
    let (account, report) = try decoder.decode(Account.self, #"{"status": "archived", "level": 9}"#)
    guard case .unknown("archived") = account.status, case .unknown(9) = account.level else {
      Issue.record("\(account)")
      return
    }
    #expect(account.status.value == nil)
    #expect(account.status.rawValue == "archived")
    #expect(
      report.description == """
        lossy.unknown-case at status: not a case of Status
        lossy.unknown-case at level: not a case of Rank
        """)
    #expect(
      report.detailedDescription == """
        lossy.unknown-case at status: not a case of Status ("archived")
        lossy.unknown-case at level: not a case of Rank ("9")
        """)
    #expect(report.entries.allSatisfy { $0.error == nil })
    let data = try JSON.Encoder().encode(account)
    #expect(String(decoding: data, as: UTF8.self) == #"{"status":"archived","level":9}"#)
    #expect(try JSON.Decoder().decode(Account.self, from: data) == account)
  }

  @Test(arguments: AnyDecoder.allCases) func valuesThatAreNotRawValuesAreErrors(_ decoder: AnyDecoder) {
    #expect(throws: DecodingError.self) { try decoder.decode(Account.self, #"{"status": 5}"#) }
    #expect(throws: DecodingError.self) { try decoder.decode(Account.self, "{}") }
  }

  @Test(arguments: AnyDecoder.allCases) func unknownCasesInContainersAreReportedEach(_ decoder: AnyDecoder) throws {
    let (array, first) = try decoder.decode([OpenEnum<Status>].self, #"["new", "active", "old"]"#)
    #expect(array == [.unknown("new"), .known(.active), .unknown("old")])
    #expect(
      first.description == """
        lossy.unknown-case at [0]: not a case of Status
        lossy.unknown-case at [2]: not a case of Status
        """)
    let (dictionary, second) = try decoder.decode([String: OpenEnum<Status>].self, #"{"a": "new", "b": "blocked"}"#)
    #expect(dictionary == ["a": .unknown("new"), "b": .known(.blocked)])
    #expect(second.description == "lossy.unknown-case at a: not a case of Status")
  }

  @Test(arguments: AnyDecoder.allCases) func lossyArraysReportUnknownCasesAndSkippedElements(
    _ decoder: AnyDecoder
  ) throws {
    let (array, report) = try decoder.decode(LossyArray<OpenEnum<Status>>.self, #"["new", 5, "active"]"#)
    #expect(array == [.unknown("new"), .known(.active)])
    #expect(
      report.description == """
        lossy.unknown-case at [0]: not a case of Status
        lossy.skipped-element at [1]: expected String
        """)
  }

  @Test func keysOfDictionariesKeepTheirRawValue() throws {
    let counts: [OpenEnum<Status>: Int] = [.known(.active): 1, .unknown("new"): 2]
    let encoder = JSON.Encoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(counts)
    #expect(String(decoding: data, as: UTF8.self) == #"{"active":1,"new":2}"#)
    #expect(try JSON.Decoder().decode([OpenEnum<Status>: Int].self, from: data) == counts)
  }

  @Test func equalityComparesRawValues() {
    #expect(OpenEnum<Status>.unknown("active") == .known(.active))
    #expect(OpenEnum<Status>.unknown("active").hashValue == OpenEnum<Status>.known(.active).hashValue)
    #expect(OpenEnum<Status>.unknown("a") != .unknown("b"))
    #expect(OpenEnum<Status>(rawValue: "blocked").value == .blocked)
  }

  @Test func longValuesAreCutAndQuotedInDetails() throws {
    let text = #""a\"\n"# + String(repeating: "b", count: 100) + "\""
    let (_, report) = try AnyDecoder.anvil.decode(OpenEnum<Status>.self, text)
    #expect(report.description == "lossy.unknown-case at the root: not a case of Status")
    #expect(
      report.detailedDescription
        == #"lossy.unknown-case at the root: not a case of Status ("a\"\n"# + String(repeating: "b", count: 37)
        + #"…")"#
    )
  }

  @Test func mapsToAndFromJSON() throws {
    let json = try JSON(parsing: #"{"status": "archived"}"#)
    let status: OpenEnum<Status> = try json => "status"
    #expect(status == .unknown("archived"))
    #expect(try JSON(encoding: status) == "archived")
  }
}
