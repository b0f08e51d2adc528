import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// Real documents with one damaged value or key. The diagnosis must report its place.
@Suite(.timeLimit(.minutes(15))) struct DamageTests {
  static let documents = ["canada.json", "citm_catalog.json", "github_events.json", "twitter.json"]

  /// The number of damages of each kind for each document. Set `ANVIL_DAMAGES` for more.
  static let rounds =
    ProcessInfo.processInfo.environment["ANVIL_DAMAGES"].flatMap(Int.init) ?? AnvilTestSupport.rounds(110)

  /// The number of rounds that may damage a large document.
  private static let largeRounds = AnvilTestSupport.rounds(5)

  @Test(
    .enabled(if: Corpora.folder != nil, "the corpora are not here: set ANVIL_CORPORA"), arguments: documents,
    DamagedText.Damage.allCases)
  func diagnosesHaveTheLocationOfTheDamage(_ name: String, _ damage: DamagedText.Damage) async throws {
    let file = try #require(Corpora.folder).appending(path: "bench/\(name)")
    let document = try JSON(parsing: Data(contentsOf: file))
    let outcome = await onOwnThread { Self.damage(document, damage, seed: UInt64(name.utf8.count)) }
    for mistake in outcome.mistakes { Issue.record("\(mistake)") }
    #expect(outcome.count > 0)
  }

  /// Damages the document repeatedly. Returns the number of damaged texts and the mistakes in their diagnoses.
  private static func damage(
    _ document: JSON, _ damage: DamagedText.Damage, seed: UInt64
  ) -> (count: Int, mistakes: [String]) {
    let number = DamagedText.Damage.allCases.firstIndex(of: damage) ?? 0
    var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
    var count = 0
    var mistakes: [String] = []
    // Whole documents are large and take most of the time. A few rounds use them, the others use parts of them.
    for round in 0..<rounds {
      let mayBeLarge = round < largeRounds || count == 0
      let part =
        round == 0 && damage == .otherKind ? document : part(of: document, mayBeLarge: mayBeLarge, using: &generator)
      guard let damaged = DamagedText(part, damage, using: &generator) else { continue }
      if let mistake = mistake(damaged, of: part) { mistakes.append("round \(round): \(mistake)") }
      count += 1
    }
    return (count, mistakes)
  }

  /// Returns a random value of the document, which contains at most a few dozen values unless `mayBeLarge`.
  ///
  /// A large value is the container of a scalar that was found by a random descent, often the whole document.
  private static func part(of document: JSON, mayBeLarge: Bool, using generator: inout SeededGenerator) -> JSON {
    var value = document
    while value.document.tape[value.index].span > 90 {
      let children = value.kind == .array ? Array(value.elements) : value.members.map(\.value)
      let containers = children.filter { $0.kind == .array || $0.kind == .object }
      guard let next = (mayBeLarge ? children : containers).randomElement(using: &generator),
        next.kind == .array || next.kind == .object
      else { break }
      value = next
    }
    return value.compactCopy()
  }

  /// Returns the mistake in the diagnosis; `nil` if it is correct.
  private static func mistake(_ damaged: DamagedText, of model: JSON) -> String? {
    let decoder = JSON.Decoder()
    StrictReading.model.map { decoder.userInfo[$0] = model }
    let data = Data(damaged.bytes)
    do {
      _ = try decoder.decode(StrictReading.self, from: data)
      return "decodes"
    } catch {
      guard let problem = JSON.Diagnosis(error, in: data).problems.first else { return "no problem" }
      return mistake(in: problem, of: damaged)
    }
  }

  private static func mistake(in problem: JSON.Diagnosis.Problem, of damaged: DamagedText) -> String? {
    let before = String(decoding: damaged.bytes[..<problem.location.offset], as: UTF8.self)
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    guard problem.location.line == lines.count,
      problem.location.column == (lines.last?.unicodeScalars.count ?? 0) + 1
    else { return "line and column \(problem.location)" }
    switch damaged.damage {
    case .brokenValue:
      // The parser stops within the damage or directly after it.
      guard problem.code == .syntax,
        damaged.range.lowerBound...damaged.range.upperBound ~= problem.location.offset,
        Array(damaged.path.prefix(problem.path.steps.count)) == problem.path.steps
      else { return "\(problem) for what is broken at \(damaged.range)" }
      return nil
    case .null where problem.code != .unexpectedNull: return "\(problem.code) for null"
    case .otherKind where problem.code != .typeMismatch: return "\(problem.code) for another kind"
    case .misspelledKey where problem.hints.first?.contains("is similar") != true: return "no hint: \(problem)"
    default: break
    }
    guard problem.path.steps == damaged.path, problem.location.range == damaged.range,
      problem.missingKey == damaged.key
    else { return "\(problem) for damage at \(JSON.Path(steps: damaged.path)), \(damaged.range)" }
    return nil
  }
}
