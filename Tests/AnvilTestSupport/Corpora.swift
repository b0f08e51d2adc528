package import Foundation

/// Test data outside the package.
package enum Corpora {
  /// Their folder: `ANVIL_CORPORA`, or a folder beside the package; `nil` if neither exists.
  package static let folder: URL? = {
    let beside = URL(filePath: #filePath).appending(path: "../../../../shared/corpora").standardized
    let named = ProcessInfo.processInfo.environment["ANVIL_CORPORA"].map { URL(filePath: $0) }
    return [named, beside].compactMap(\.self).first { FileManager.default.fileExists(atPath: $0.path()) }
  }()
}
