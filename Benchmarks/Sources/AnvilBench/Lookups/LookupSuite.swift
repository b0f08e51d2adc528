import AnvilJSON
import Foundation
import Rounds

/// Measures key lookups in large objects, with every strategy and in orders other than the text's. The time must be
/// proportional to the number of members.
struct LookupSuite {
  private let rounds: Int
  private var rows = [["object", "members", "Foundation ms", "Anvil ms", "ratio"]]

  init(rounds: Int) { self.rounds = rounds }

  /// Measures and prints a table of processor times.
  mutating func run() throws {
    for count in [1_000, 10_000, 100_000] {
      for strategy in KeyStrategy.allCases {
        try measure("all keys, \(strategy)", AllKeys.self, KeyedText.flat(count), count, strategy)
      }
      for strategy in KeyStrategy.allCases {
        try measure("all keys backwards, \(strategy)", Backwards.self, KeyedText.flat(count), count, strategy)
      }
      try measure("20 absent optionals", AbsentOptionals.self, KeyedText.flat(count), count, .plain)
      try measure("as many absent keys", AbsentKeys.self, KeyedText.flat(count), count, .plain)
      try measure(
        "children of 300 members, backwards", Children.self, KeyedText.nested(count / 300, of: 300), count, .plain)
    }
    // Small objects that are read in order, which must not become slower.
    for strategy in KeyStrategy.allCases {
      try measure("small objects, \(strategy)", [Small].self, KeyedText.small(10_000), 10 * 10_000, strategy)
    }
    print(Columns.text(rows))
  }

  private mutating func measure<Model: Decodable>(
    _ test: String, _ model: Model.Type, _ data: Data, _ members: Int, _ strategy: KeyStrategy
  ) throws {
    let foundation = JSONDecoder()
    let anvil = JSON.Decoder()
    strategy.set(foundation, anvil)
    var (theirs, ours): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      theirs.append(try Self.seconds { _ = try foundation.decode(model, from: data) })
      ours.append(try Self.seconds { _ = try anvil.decode(model, from: data) })
      // A slow case is measured only once.
      if max(theirs.last ?? 0, ours.last ?? 0) > 5 { break }
    }
    let (foundationTime, anvilTime) = (Self.median(theirs), Self.median(ours))
    rows.append([
      test, "\(members)", String(format: "%.2f", foundationTime * 1000), String(format: "%.2f", anvilTime * 1000),
      String(format: "%.2f", foundationTime / anvilTime),
    ])
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = Seconds.now()
    try body()
    return (Seconds.now() - start).processor
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// The conversion of keys.
private enum KeyStrategy: String, CaseIterable, CustomStringConvertible {
  case plain = "no conversion"
  case snakeCase = "snake case"
  case custom

  var description: String { rawValue }

  func set(_ foundation: JSONDecoder, _ anvil: JSON.Decoder) {
    switch self {
    case .plain: break
    case .snakeCase:
      foundation.keyDecodingStrategy = .convertFromSnakeCase
      anvil.keyDecodingStrategy = .convertFromSnakeCase
    case .custom:
      foundation.keyDecodingStrategy = .custom { $0[$0.count - 1] }
      anvil.keyDecodingStrategy = .custom { $0[$0.count - 1] }
    }
  }
}
