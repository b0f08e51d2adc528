import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// The texts of failures. Each failure of the catalog is compared with a file of `Renderings`, which contains it
/// without and with values, for a narrow and a wide terminal, in colours, in one line, and as JSON.
///
/// After an intended change, run the tests with `ANVIL_WRITE_RENDERINGS=1` in the environment and review the
/// differences.
@Suite struct DiagnosisRenderingTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Renderings")

  private static func rendering(of diagnosis: JSON.Diagnosis) throws -> String {
    var json: [UInt8] = []
    json = Array(diagnosis.json().description.utf8)
    let sections: [(String, String)] = [
      ("without values, 100 columns", diagnosis.description),
      ("with values, 120 columns", diagnosis.rendered(.init(values: .shown, width: 120))),
      ("with values, 56 columns", diagnosis.rendered(.init(values: .shown, width: 56))),
      (
        "with values and colours, 80 columns",
        diagnosis.rendered(.init(values: .shown, colors: .ansi, width: 80)).replacing("\u{1B}", with: "␛")
      ),
      ("one line", diagnosis.line),
      ("JSON", String(decoding: json, as: UTF8.self)),
    ]
    return sections.map { "── \($0.0)\n\($0.1)\n" }.joined(separator: "\n")
  }

  @Test(arguments: CatalogFailure.all)
  func renderingsMatchTheFiles(_ failure: CatalogFailure) throws {
    let rendering = try Self.rendering(of: failure.diagnosis())
    let file = Self.folder.appendingPathComponent("\(failure.name).txt")
    if ProcessInfo.processInfo.environment["ANVIL_WRITE_RENDERINGS"] == "1" {
      try Data(rendering.utf8).write(to: file)
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(rendering == expected)
  }

  @Test func namesOfTheCatalogAreDistinct() {
    #expect(Set(CatalogFailure.all.map(\.name)).count == CatalogFailure.all.count)
    #expect(CatalogFailure.all.count >= 40)
  }

  @Test(arguments: [0, -1])
  func problemsBeyondTheLimitAreCounted(limit: Int) throws {
    let failure = try #require(CatalogFailure.all.first { $0.name == "null-root" })
    let rendered = try failure.diagnosis().rendered(.init(problemLimit: limit))
    #expect(rendered == "error[decode.unexpected-null] 1 problem decoding Item\n… and 1 more")
  }

  @Test(arguments: [("0123-45-67", true), ("9999-99-99T", true), ("8888-88-88 9", true), ("2026-11-2", false)])
  func textsThatBeginAsDatesAreHinted(text: String, looksLikeDate: Bool) throws {
    struct Event: Decodable { var date: Date }
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .deferredToDate
    let data = Data("{\"date\": \"\(text)\"}".utf8)
    let error = try #require(throws: (any Error).self) { try decoder.decode(Event.self, from: data) }
    let hints = decoder.diagnosis(of: error, decoding: Event.self, from: data).problems.flatMap(\.hints)
    #expect(hints.contains { $0.contains("looks like a date") } == looksLikeDate)
  }

  @Test(arguments: ["2026/11/21", ":026-11-21", "2026-11-21X"])
  func otherTextsAreNotHintedAsDates(text: String) throws {
    try textsThatBeginAsDatesAreHinted(text: text, looksLikeDate: false)
  }

  /// A line of the text and its annotations are truncated to the width. Only longer names may exceed it.
  @Test(arguments: CatalogFailure.all)
  func linesAreNoLongerThanTheWidth(_ failure: CatalogFailure) throws {
    let diagnosis = try failure.diagnosis()
    for width in [56, 80, 120] {
      for line in diagnosis.rendered(.init(values: .shown, width: width)).split(separator: "\n") {
        #expect(String(line).displayWidth <= width, "\(line)")
      }
    }
  }
}
