import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// Real documents with several random damages. The reported places are exactly those at which the ordinary decoder
/// fails when each is damaged alone.
@Suite(.timeLimit(.minutes(15))) struct CollectingDamageTests {
  enum Damage: CaseIterable { case null, otherKind, removed }

  struct Place: Hashable, CustomStringConvertible {
    var steps: [JSON.Step]
    var missing: JSON.Step?

    var description: String {
      "\(JSON.Path(steps: steps))\(missing.map { " lacks \(JSON.Path(steps: [$0]))" } ?? "")"
    }
  }

  @Test(.enabled(if: Corpora.folder != nil, "the corpora are not here: set ANVIL_CORPORA"))
  func damagedTweetsAreFound() async throws {
    let document = try Self.document("twitter", keeping: 4)
    try await expectDamageIsFound(Twitter.Root.self, in: document, runs: 150)
  }

  @Test(.enabled(if: Corpora.folder != nil, "the corpora are not here: set ANVIL_CORPORA"))
  func damagedEventsAreFound() async throws {
    let document = try Self.document("github_events", keeping: 8)
    try await expectDamageIsFound([GitHubEvents.RootItem].self, in: document, runs: 150)
  }

  @Test(.enabled(if: Corpora.folder != nil, "the corpora are not here: set ANVIL_CORPORA"))
  func damagedCatalogsAreFound() async throws {
    let document = try Self.document("citm_catalog", keeping: 6)
    try await expectDamageIsFound(CitmCatalog.Root.self, in: document, runs: 150)
  }

  private func expectDamageIsFound<T: Decodable>(_ type: T.Type, in document: JSON, runs: Int) async throws {
    let decoder = JSON.Decoder()
    _ = try decoder.decode(type, from: document)
    let paths = Self.paths(of: document)
    var harmful = 0
    for seed in 0..<rounds(runs) {
      // All of them together take seconds, and other tests need the thread.
      await Task.yield()
      var random = SeededGenerator(seed: UInt64(seed))
      var damages: [[JSON.Step]: Damage] = [:]
      for _ in 0..<(1 + seed % 20) {
        let path = try #require(paths.randomElement(using: &random))
        let isWithin = damages.keys.contains { path.starts(with: $0) || $0.starts(with: path) }
        guard !isWithin else { continue }
        let isElement = if case .index = path.last { true } else { false }
        damages[path] = (isElement ? [.null, .otherKind] : Damage.allCases).randomElement(using: &random)
      }
      var expected: Set<Place> = []
      for (path, damage) in damages {
        do {
          _ = try decoder.decode(type, from: Self.damaged(document, [path: damage]))
        } catch let error as DecodingError {
          expected.insert(Self.place(of: error))
        }
      }
      harmful += expected.count
      let found = decoder.collectFaults(type, in: Self.damaged(document, damages), limit: 100)
      let places = found.faults.map { Place(steps: $0.steps, missing: $0.missing) }
      #expect(Set(places) == expected, "seed \(seed): \(damages)")
      #expect(places.count == expected.count, "seed \(seed)")
      #expect((found.value != nil) == expected.isEmpty)
      #expect(found.isComplete)
    }
    #expect(harmful > rounds(runs) * 3)
  }

  /// Returns the place of the ordinary decoder's error.
  private static func place(of error: DecodingError) -> Place {
    let steps = error.context.codingPath.map { key -> JSON.Step in
      key.intValue.map { .index($0) } ?? .key(key.stringValue)
    }
    guard case .keyNotFound(let key, _) = error else { return Place(steps: steps) }
    return Place(steps: steps, missing: .key(key.stringValue))
  }

  // MARK: Documents

  /// Returns the document with this name, with at most `count` elements or members in its large containers.
  private static func document(_ name: String, keeping count: Int) throws -> JSON {
    let folder = try #require(Corpora.folder)
    return cut(try JSON(parsing: Data(contentsOf: folder.appending(path: "bench/\(name).json"))), count)
  }

  private static func cut(_ json: JSON, _ count: Int) -> JSON {
    switch json.kind {
    case .array: JSON(json.elements.prefix(count).map { cut($0, count) })
    case .object where json.count > 100:
      JSON(json.members.prefix(count).map { (key: $0.key, value: cut($0.value, count)) })
    case .object: JSON(json.members.map { (key: $0.key, value: cut($0.value, count)) })
    default: json
    }
  }

  private static func paths(of json: JSON, at path: [JSON.Step] = []) -> [[JSON.Step]] {
    var paths: [[JSON.Step]] = []
    for (index, element) in json.elements.enumerated() {
      let step = path + [.index(index)]
      paths += [step] + Self.paths(of: element, at: step)
    }
    for (key, value) in json.members {
      let step = path + [.key(key)]
      paths += [step] + Self.paths(of: value, at: step)
    }
    return paths
  }

  private static func damaged(_ json: JSON, _ damages: [[JSON.Step]: Damage], at path: [JSON.Step] = []) -> JSON {
    guard damages.keys.contains(where: { $0.starts(with: path) }) || damages[path] != nil else { return json }
    switch damages[path] {
    case .null: return nil
    case .otherKind: return json.kind == .string ? JSON(0.5) : JSON("damaged")
    case .removed, nil: break
    }
    switch json.kind {
    case .array:
      return JSON(json.elements.enumerated().map { damaged($1, damages, at: path + [.index($0)]) })
    case .object:
      return JSON(
        json.members.compactMap { key, value -> (key: String, value: JSON)? in
          let step = path + [.key(key)]
          return damages[step] == .removed ? nil : (key: key, value: damaged(value, damages, at: step))
        })
    default: return json
    }
  }
}
