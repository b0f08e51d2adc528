import Foundation
import Testing

@testable import AnvilJSON

/// Real documents of which one value or key has been damaged: the diagnosis names the place.
@Suite(.timeLimit(.minutes(5))) struct DamageTests {
  static let documents = ["canada.json", "citm_catalog.json", "github_events.json", "twitter.json"]

  /// The folder of the corpora: beside the package, or where the environment says.
  static let folder: URL? = {
    let named = ProcessInfo.processInfo.environment["ANVIL_CORPORA"].map { URL(filePath: $0) }
    let beside = URL(filePath: #filePath).appending(path: "../../../../shared/corpora").standardized
    let folder = (named ?? beside).appending(path: "bench")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// How many damages of each kind each document suffers; set `ANVIL_DAMAGES` for more.
  static let rounds = ProcessInfo.processInfo.environment["ANVIL_DAMAGES"].flatMap(Int.init) ?? 150

  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    /// Source: SplitMix64, Steele, Lea and Flood (2014).
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  @Test(
    .enabled(if: folder != nil, "the corpora are not here: set ANVIL_CORPORA"), arguments: documents,
    DamagedText.Damage.allCases)
  func namesTheDamagedPlace(_ name: String, _ damage: DamagedText.Damage) throws {
    let folder = try #require(Self.folder)
    let document = try JSON(parsing: Data(contentsOf: folder.appending(path: name)))
    var generator = Generator(
      state: UInt64(name.utf8.count) &* 31 &+ UInt64(DamagedText.Damage.allCases.firstIndex(of: damage) ?? 0))
    var checked = 0
    // The whole is large: mostly parts of it are damaged, as servers send them one by one.
    for round in 0..<Self.rounds {
      let part = round == 0 && damage == .otherKind ? document : Self.part(of: document, using: &generator)
      guard let damaged = DamagedText(part, damage, using: &generator) else { continue }
      try check(damaged, of: part)
      checked += 1
    }
    #expect(checked > 0)
  }

  /// A value of the document with some dozens of others in it at most.
  private static func part(of document: JSON, using generator: inout Generator) -> JSON {
    var value = document
    while value.document.tape[value.index].span > 90 {
      let next =
        value.kind == .array
        ? value.elements.randomElement(using: &generator)
        : value.members.map(\.value).randomElement(using: &generator)
      guard let next, next.kind == .array || next.kind == .object else { break }
      value = next
    }
    return value.compactCopy()
  }

  private func check(_ damaged: DamagedText, of model: JSON) throws {
    let decoder = JSON.Decoder()
    decoder.userInfo[try #require(StrictReading.model)] = model
    let data = Data(damaged.bytes)
    let thrown = #expect(throws: (any Error).self) { try decoder.decode(StrictReading.self, from: data) }
    let error = try #require(thrown)
    let problem = try #require(JSON.Diagnosis(error, in: data).problems.first)
    if damaged.damage == .brokenValue {
      // The parser stops within it, or at what stands behind it.
      #expect(problem.code == .syntax)
      #expect(damaged.range.lowerBound...damaged.range.upperBound ~= problem.location.offset)
      // Behind a number that has too many digits another value seems to begin.
      #expect(Array(damaged.path.prefix(problem.path.steps.count)) == problem.path.steps)
    } else {
      #expect(problem.path.steps == damaged.path)
      #expect(problem.location.range == damaged.range)
      #expect(problem.missingKey == damaged.key)
    }
    if damaged.damage == .null { #expect(problem.code == .unexpectedNull) }
    if damaged.damage == .otherKind { #expect(problem.code == .typeMismatch) }
    if damaged.damage == .misspelledKey { #expect(problem.hints.first?.contains("is close") == true) }
    let before = String(decoding: damaged.bytes[..<problem.location.offset], as: UTF8.self)
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(problem.location.line == lines.count)
    #expect(problem.location.column == (lines.last?.unicodeScalars.count ?? 0) + 1)
  }
}
