import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

extension JSON.Decoder {
  /// Decodes `json` with the first pass of a collecting decoder.
  func decodeCollecting<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T {
    let session = CollectingSession(
      base: ValueReader(json, for: self), memory: CollectingMemory(),
      substituted: [], variant: .first, faultLimit: 100)
    return try session.decode(type, at: json.index, for: nil)
  }
}

/// A collecting pass returns the same values and errors as ordinary decoding.
@Suite struct CollectingDifferentialTests {
  @Test(arguments: Case.all)
  func collectingGivesTheDecodersResult(item: Case) async {
    let count = DifferentialTests.documents / 4 / Case.all.count + 1
    await onOwnThread { item.run(3, count) }.expectAgreement(count: count)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (_ seed: UInt64, _ count: Int) -> DifferentialOutcome

    init<Model: DifferentialModel>(_ type: Model.Type) {
      testDescription = "\(type)"
      run = { CollectingDifferentialTests.run(type, seed: $0, count: $1) }
    }

    static let all = [
      Case(Scalars.self), Case(Optionals.self), Case(Nested.self), Case(Branch.self), Case(CamelCase.self),
      Case(FoundationValues.self), Case(Enumerations.self), Case(Hound.self), Case(Wrappers.self), Case(ByHand.self),
      Case(Whatever.self), Case([Nested.Place].self), Case([String: Optionals].self),
    ]
  }

  private static func run<Model: DifferentialModel>(
    _ type: Model.Type, seed: UInt64, count: Int
  ) -> DifferentialOutcome {
    var random = RandomSource(seed: seed)
    var outcome = DifferentialOutcome()
    while outcome.needsMore(than: count) {
      let setup = random.oneIn(3) ? random.pick(CoderSetup.allCases) : .plain
      guard let text = try? setup.encoders().ours.encode(Model(sample: &random)), let json = try? JSON(parsing: text)
      else { continue }
      let decoder = setup.decoders().ours
      for _ in 0..<8 where outcome.documents < count {
        var changed = DocumentTree(json)
        for _ in 0..<random.below(4) { changed.mutate(&random) }
        guard let json = try? JSON(parsing: changed.text(&random)) else { continue }
        let difference = difference(type, in: json, decoder).map { "\(setup.rawValue): \($0)" }
        outcome.noteDocument(isValue: (try? decoder.decode(type, from: json)) != nil, difference)
      }
    }
    return outcome
  }

  private static func difference<Model: DifferentialModel>(
    _ type: Model.Type, in json: JSON, _ decoder: JSON.Decoder
  ) -> String? {
    var texts: [String?] = [nil, nil]
    func noting<T>(_ number: Int, _ decode: () throws -> T) throws -> T {
      do {
        return try decode()
      } catch {
        texts[number] = (error as? DecodingError)?.context.debugDescription
        throw error
      }
    }
    let found = DecodingOutcome { try noting(0) { try decoder.decode(type, from: json) } }
    let collected = DecodingOutcome { try noting(1) { try decoder.decodeCollecting(type, from: json) } }
    guard found == collected, texts[0] == texts[1] else {
      return "\(type) from \(json): \(found), collecting \(collected)"
    }
    let all = decoder.collectFaults(type, in: json)
    guard (all.value == nil) != all.faults.isEmpty else { return "\(type) from \(json): no fault is said" }
    // A document reported as repaired has no other fault, so the first thrown error must be among the reported ones.
    let places = Set(all.faults.map { "\($0.code)\($0.steps)\(String(describing: $0.missing))" })
    return places.count == all.faults.count ? nil : "\(type) from \(json): a fault is said twice"
  }
}
