public import Foundation

/// The files of the public that tests read: documents, sources and ledgers.
public enum Checkout {
  /// The package's folder.
  public static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// The folder of the guides.
  public static let guides = "Sources/Client/Anvil/Anvil.docc"

  /// Returns the text of the file at `path`, relative to the package's folder.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the text of the guide that is called `name`.
  public static func guide(_ name: String) throws -> String { try text("\(guides)/\(name).md") }
}

/// Test data outside the package.
public enum Corpora {
  /// Their folder: `ANVIL_CORPORA`, or a folder beside the package; `nil` if neither exists.
  public static let folder: URL? = {
    let beside = Checkout.root.appending(path: "../shared/corpora").standardized
    let named = ProcessInfo.processInfo.environment["ANVIL_CORPORA"].map { URL(filePath: $0) }
    return [named, beside].compactMap(\.self).first { FileManager.default.fileExists(atPath: $0.path()) }
  }()

  /// The names of the public documents that benchmarks of parsers use.
  package static let documents = ["canada", "citm_catalog", "github_events", "twitter"]

  /// Returns the text of a document: all of it where ``isThorough``, otherwise a few dozen elements of each array, spread over its length.
  package static func document(_ name: String) throws -> Data {
    struct NoCorpora: Error {}
    guard let folder else { throw NoCorpora() }
    let data = try Data(contentsOf: folder.appending(path: "bench/\(name).json"))
    if isThorough { return data }
    let thinned = thinned(try JSONSerialization.jsonObject(with: data))
    // The order of keys would differ in each run.
    return try JSONSerialization.data(withJSONObject: thinned, options: [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func thinned(_ value: Any) -> Any {
    switch value {
    case let array as [Any]: stride(from: 0, to: array.count, by: max(array.count / 30, 1)).map { thinned(array[$0]) }
    case let object as [String: Any]: object.mapValues(thinned)
    default: value
    }
  }
}
