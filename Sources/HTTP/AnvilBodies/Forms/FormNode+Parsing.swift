internal import AnvilBase

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension FormNode {
  /// Creates the root of the form `data`. Empty data, or data that consists only of `&`, is a form without pairs.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the form is not UTF-8 or exceeds a limit of `format`.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  init(parsing data: Data, for format: URLForm.Decoder) throws {
    self.init()
    var count = 0
    var rest = data[...]
    while !rest.isEmpty {
      let pair = rest.prefix { $0 != UInt8(ascii: "&") }
      rest = rest[pair.endIndex...].dropFirst()
      guard !pair.isEmpty else { continue }
      count += 1
      guard count <= format.pairLimit else { throw Self.corrupted("It has more than \(format.pairLimit) pairs.") }
      try insert(pair, number: count, depthLimit: format.effectiveDepthLimit)
    }
  }

  private mutating func insert(_ pair: Data, number: Int, depthLimit: Int) throws {
    let nameBytes = pair.prefix { $0 != UInt8(ascii: "=") }
    guard let name = FormEncoding.decode(nameBytes),
      let text = FormEncoding.decode(pair[nameBytes.endIndex...].dropFirst())
    else { throw Self.corrupted("Pair \(number) is not UTF-8.") }
    let steps = FormStep.steps(of: name)
    guard steps.count <= depthLimit else {
      throw Self.corrupted("The name of pair \(number) has more than \(depthLimit) path components.")
    }
    insert(text, at: steps[...])
  }

  private static func corrupted(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "The form cannot be read. \(reason)"))
  }
}
