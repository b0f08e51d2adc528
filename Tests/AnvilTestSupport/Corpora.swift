package import Foundation

/// Test data outside the package.
package enum Corpora {
  /// Their folder: where `ANVIL_CORPORA` says, or beside the package; `nil` if there is none.
  package static let folder: URL? = {
    let beside = URL(filePath: #filePath).appending(path: "../../../../shared/corpora").standardized
    let named = ProcessInfo.processInfo.environment["ANVIL_CORPORA"].map { URL(filePath: $0) }
    return [named, beside].compactMap(\.self).first { FileManager.default.fileExists(atPath: $0.path()) }
  }()
}
