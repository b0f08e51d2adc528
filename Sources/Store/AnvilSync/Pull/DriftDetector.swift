internal import AnvilBase
internal import AnvilJSON

/// Finds the keys of received rows that the model does not read.
///
/// Rows with the same combination of keys are compared with the model only once. At most 2,000 combinations are kept. Rows with further
/// combinations are not compared.
struct DriftDetector {
  private let rows: any PullRows
  /// The paths that the pull itself reads. They are not deviations, even if the rows do not store them.
  private let knownPaths: Set<String>
  private var unknownKeys: [Int: [String]] = [:]
  private static let mostShapes = 2_000
  private static let mostLevels = 8

  init(_ plan: PullPlan) {
    rows = plan.rows
    knownPaths = plan.ownPaths
  }

  /// Returns the paths of the keys that the rows of the pull do not store.
  mutating func unknownKeys(in item: JSON, as format: any DecodingFormat) -> [String] {
    let shape = Self.shape(of: item)
    if let known = unknownKeys[shape] { return known }
    guard unknownKeys.count < Self.mostShapes, let found = rows.unknownKeys(in: item, as: format) else { return [] }
    let unknown = found.filter { !knownPaths.contains($0) }
    unknownKeys[shape] = unknown
    return unknown
  }

  /// Returns a hash of the keys of an object and of the objects in it, up to eight levels deep.
  private static func shape(of json: JSON, levels: Int = mostLevels) -> Int {
    var hasher = Hasher()
    guard levels > 0 else { return 0 }
    switch json.kind {
    case .object:
      for (key, value) in json.members {
        hasher.combine(key)
        // An optional object that is null is not decoded, so its keys would remain unknown to the comparison.
        hasher.combine(value.isNull)
        if isContainer(value) { hasher.combine(shape(of: value, levels: levels - 1)) }
      }
    case .array:
      hasher.combine(Set(json.elements.lazy.filter(isContainer).map { shape(of: $0, levels: levels - 1) }))
    case .null, .bool, .number, .string: break
    }
    return hasher.finalize()
  }

  private static func isContainer(_ json: JSON) -> Bool { json.kind == .object || json.kind == .array }
}
