import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

private enum Status: String, Codable, JSONDecodable { case active }

@Suite struct DecodingReportTests {
  @Test func valuesDecodedTwiceAreReportedOnce() throws {
    let report = DecodingReport()
    let decoder = JSON.Decoder().reporting(to: report)
    let data = Data(#"[[1, "x", "y"], "z"]"#.utf8)
    for _ in 0..<3 { #expect(try decoder.decode(LossyArray<LossyArray<Int>>.self, from: data) == [[1]]) }
    #expect(report.entries.map(\.path) == [[0, 1], [0, 2], [1]])
    _ = try decoder.decode(LossyArray<OpenEnum<Status>>.self, from: Data(#"[0, "z"]"#.utf8))
    // A second code at a known place, and an element that replaces the reports inside it.
    #expect(
      report.entries.map(\.code) == [.skippedElement, .skippedElement, .skippedElement, .skippedElement, .unknownCase])
    #expect(!report.isEmpty && DecodingReport().isEmpty && DecodingReport().description.isEmpty)
  }

  @Test(arguments: zip([0, 1, 2, 3, 4, -1], [0, 1, 2, 3, 3, 0])) func numberOfEntriesIsLimited(
    _ limit: Int, _ kept: Int
  ) throws {
    let report = DecodingReport(problemLimit: limit)
    let decoder = JSON.Decoder().reporting(to: report)
    #expect(try decoder.decode(LossyArray<Int>.self, from: Data(#"["a", "b", "c"]"#.utf8)) == [])
    #expect(report.entries.count == kept)
    #expect(report.omittedCount == 3 - kept)
    #expect(!report.isEmpty)
  }

  @Test func reportingDoesNotChangeTheDecodersOwnReport() throws {
    let mine = DecodingReport()
    let theirs = DecodingReport()
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    decoder.userInfo[.decodingReport] = mine
    let data = Data(#"[0, "x"]"#.utf8)
    let dates: LossyArray<Date> = [Date(timeIntervalSince1970: 0)]
    #expect(try decoder.reporting(to: theirs).decode(LossyArray<Date>.self, from: data) == dates)
    #expect(mine.isEmpty && theirs.entries.count == 1)
    let (value, third) = try decoder.decodeReporting(LossyArray<Date>.self, from: data)
    #expect(value == dates)
    #expect(mine.isEmpty && third.entries.count == 1)
    #expect(try decoder.decode(LossyArray<Date>.self, from: data) == dates)
    #expect(mine.entries.count == 1 && theirs.entries.count == 1)
  }

  @Test func oneDecoderServesManyReportsAtOnce() async throws {
    let decoder = JSON.Decoder()
    try await withThrowingTaskGroup(of: (Int, DecodingReport).self) { group in
      for count in 0..<64 {
        group.addTask {
          let text = "[" + Array(repeating: #""x""#, count: count).joined(separator: ",") + "]"
          return (count, try decoder.decodeReporting(LossyArray<Int>.self, from: Data(text.utf8)).report)
        }
      }
      for try await (count, report) in group {
        #expect(report.entries.map(\.path) == (0..<count).map { JSON.Path($0) })
      }
    }
    #expect(decoder.userInfo.isEmpty)
  }

  @Test func oneReportServesManyTasksAtOnce() async throws {
    let report = DecodingReport(problemLimit: 100)
    let decoder = JSON.Decoder().reporting(to: report)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          let key = "task\(task)"
          let text = "{\"\(key)\": [" + Array(repeating: "null", count: 10).joined(separator: ",") + "]}"
          let members = try decoder.decode([String: LossyArray<Int>].self, from: Data(text.utf8))
          #expect(members == [key: []])
        }
      }
      try await group.waitForAll()
    }
    #expect(report.entries.count == 100)
    #expect(report.omittedCount == 60)
  }

  @Test func errorsOfOtherTypesAreNamedAndNotShown() throws {
    struct Refusal: Error { var secret = "s3cret" }
    struct Picky: Decodable {
      init(from decoder: any Decoder) throws { throw Refusal() }
    }
    let (_, report) = try AnyDecoder.anvil.decode(LossyArray<Picky>.self, "[1]")
    #expect(report.description.hasPrefix("lossy.skipped-element at [0]: "))
    #expect(report.description.hasSuffix("Refusal"))
    #expect(!report.description.contains("s3cret") && report.detailedDescription.contains("s3cret"))
  }

  @Test func descriptionsShowNoValues() throws {
    enum Kind: String, Codable { case a }
    let text = #"["s3cret", {"s": "s3cret"}, 5]"#
    let (_, first) = try AnyDecoder.anvil.decode(LossyArray<Kind>.self, text)
    let (_, second) = try AnyDecoder.foundation.decode(LossyArray<Kind>.self, text)
    for report in [first, second] {
      #expect(report.entries.count == 3)
      #expect(!report.description.contains("s3cret"))
    }
    #expect(first.detailedDescription.contains("s3cret"))
  }

  /// If each path stored the key and compared it, ten gigabytes would be read.
  @Test(.timeLimit(.minutes(15))) func longKeysAreShortened() throws {
    let key = String(repeating: "k", count: 1_000_000)
    let text = "{\"\(key)\": [" + Array(repeating: #""x""#, count: 10_000).joined(separator: ",") + "]}"
    let report = DecodingReport()
    let decoder = JSON.Decoder().reporting(to: report)
    #expect(try decoder.decode([String: LossyArray<Int>].self, from: Data(text.utf8)) == [key: []])
    #expect(report.entries.count == 1000 && report.omittedCount == 9_000)
    let place = String(repeating: "k", count: 200) + "…"
    #expect(report.entries.map(\.path) == (0..<1000).map { [JSON.Path(place), JSON.Path($0)] })
    #expect(report.entries.first?.description == "lossy.skipped-element at [\"\(place)\"][0]: expected Int")
  }

  @Test func keysWithIntegerValuesAreNotIndices() throws {
    enum Key: Int, CodingKey { case first = 1 }
    struct Keyed: Decodable {
      let numbers: LossyArray<Int>
      init(from decoder: any Decoder) throws {
        numbers = try decoder.container(keyedBy: Key.self).decode(LossyArray<Int>.self, forKey: .first)
      }
    }
    for decoder in AnyDecoder.allCases {
      let (_, report) = try decoder.decode(Keyed.self, #"{"first": [1, "x"]}"#)
      #expect(report.entries.map(\.path) == [["first", 1]])
      let (_, numbers) = try decoder.decode([Int: LossyArray<Int>].self, #"{"7": ["x"]}"#)
      #expect(numbers.entries.map(\.path) == [["7", 0]])
    }
  }

  @Test func codingPathsAreCorrectInAnyOrder() throws {
    // Paths continue from the previous one, except for earlier elements and other containers.
    struct Reading: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var decoders: [any Decoder] = []
        while !container.isAtEnd {
          var inner = try container.nestedUnkeyedContainer()
          while !inner.isAtEnd { decoders.append(try inner.superDecoder()) }
        }
        var order = Array(decoders.indices)
        for index in order.reversed() + order { try check(decoders[index], index) }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<10 {
          order.shuffle(using: &random)
          for index in order { try check(decoders[index], index) }
        }
      }

      private func check(_ decoder: any Decoder, _ index: Int) throws {
        #expect(decoder.codingPath.map(\.intValue) == [index / 7, index % 7])
        let value = try decoder.container(keyedBy: Key.self)
        #expect(value.codingPath.map(\.intValue) == [index / 7, index % 7])
        let named = try value.superDecoder(forKey: .b)
        #expect(named.codingPath.map(\.stringValue) == ["Index \(index / 7)", "Index \(index % 7)", "b"])
        let missing = try value.superDecoder(forKey: .c)
        #expect(missing.codingPath.map(\.stringValue) == ["Index \(index / 7)", "Index \(index % 7)", "c"])
      }

      private enum Key: String, CodingKey { case a, b, c }
    }
    let row = "[" + Array(repeating: #"{"a": [1, 2], "b": 3}"#, count: 7).joined(separator: ",") + "]"
    let text = "[" + Array(repeating: row, count: 5).joined(separator: ",") + "]"
    _ = try JSON.Decoder().decode(Reading.self, from: Data(text.utf8))
  }
}
