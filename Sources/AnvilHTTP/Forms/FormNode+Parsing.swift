#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension FormNode {
  /// The root of the form `data`. No bytes are a form without pairs, and so are any number of `&`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for what is not UTF-8 or is beyond a limit of `format`.
  /// - Complexity: O(*n*), *n* the number of bytes.
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
    guard let name = URLForm.percentDecoded(nameBytes),
      let text = URLForm.percentDecoded(pair[nameBytes.endIndex...].dropFirst())
    else { throw Self.corrupted("Pair \(number) is not UTF-8.") }
    let steps = FormStep.steps(of: name)
    guard steps.count <= depthLimit else {
      throw Self.corrupted("The name of pair \(number) has more than \(depthLimit) steps.")
    }
    insert(text, at: steps[...])
  }

  private static func corrupted(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "The form cannot be read. \(reason)"))
  }
}
