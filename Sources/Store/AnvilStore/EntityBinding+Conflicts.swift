internal import AnvilBase
internal import AnvilJSON

extension EntityBinding {
  /// Applies the rules to the value encoded last, which is about to replace `row`. Returns `true` if the rules changed any of the encoded
  /// values.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` for a rule that does not suit its attribute, or whose attribute does not exist.
  func resolve(_ rules: ConflictRules, over row: StoredRow) throws(StoreError) -> Bool {
    let attributes = encoder.attributes
    try requireAttributes(of: rules, among: attributes)
    let keyIndices = keys.compactMap { $0.index(in: attributes) }
    for (index, attribute) in attributes.enumerated()
    where rules.kind(for: attribute.name) == .merge && !keyIndices.contains(index) {
      guard attribute.type == nil || attribute.type == .json && attribute.reference == nil else {
        throw StoreError(
          code: .schemaMismatch,
          reason: "\(entity).\(attribute.name) is \(attribute.kind), but only JSON can be merged")
      }
    }
    let incoming = IncomingRow(
      names: attributes.indices.map { keyIndices.contains($0) ? nil : attributes[$0].name },
      value: { self.encoder.row[$0] },
      stored: { row.cell(ofColumn: self.columnName(of: $0)) }, isOlderWithoutVersion: true)
    let replacements = try rules.replacements(in: incoming, of: entity)
    for (index, value) in replacements { encoder.row[index] = value }
    return !replacements.isEmpty
  }

  /// Checks that the attributes named by `rules` exist. Models without declared columns are not checked, because their attributes are
  /// unknown until a value is encoded.
  private func requireAttributes(of rules: ConflictRules, among attributes: [Attribute]) throws(StoreError) {
    guard hasColumns else { return }
    for name in rules.names where !attributes.contains(where: { $0.name == name }) {
      throw StoreError(
        code: .schemaMismatch, reason: "\(entity) has a conflict rule for \(name), which is not an attribute")
    }
  }
}

extension StoreValue {
  /// Returns `true` if this value of a column is less than `other`, which is not null. Returns `nil` if values of the type have no order.
  func isLess(than other: StoreValue, as type: StoredType) -> Bool? {
    if case .null = self { return true }
    if type == .decimal, let left = Decimal(stored: self), let right = Decimal(stored: other) { return left < right }
    guard type != .json, type != .data else { return nil }
    return switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer(let left), .real(let right)): Double(left) < right
    case (.real(let left), .integer(let right)): left < Double(right)
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: nil
    }
  }

  func compares(
    _ comparison: ConditionNode.Operator, to other: StoreValue, as type: StoredType
  ) -> Bool {
    guard let isLess = isLess(than: other, as: type), let isGreater = other.isLess(than: self, as: type) else {
      return comparison == .equal && self == other
    }
    return switch comparison {
    case .equal: !isLess && !isGreater
    case .less: isLess
    case .lessOrEqual: !isGreater
    case .greater: isGreater
    case .greaterOrEqual: !isLess
    }
  }
}

/// Merges stored JSON with incoming JSON, as ``ConflictRule/merge(_:)`` defines it.
enum JSONMerge {
  /// Returns the text of the merged value. If the merged value equals the stored or the incoming value, its text is returned unchanged.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` for text that is not JSON, which other programs may have stored.
  static func text(of incoming: String, into stored: String) throws(StoreError) -> String {
    do throws(JSON.SyntaxError) {
      let (old, new) = (try JSON(parsing: stored), try JSON(parsing: incoming))
      let merged = merge(new, into: old)
      if merged == old { return stored }
      return merged == new ? incoming : merged.serializedText(.compact, order: .sortedKeys)
    } catch {
      throw StoreError(code: .invalidValue, reason: "the stored value to merge with is not JSON: \(error)")
    }
  }

  private static func merge(_ incoming: JSON, into stored: JSON) -> JSON {
    switch (stored.kind, incoming.kind) {
    case (.object, .object):
      var members = stored.members.map { (key: $0.key, value: $0.value) }
      let indices = Dictionary(members.indices.map { (members[$0].key, $0) }) { first, _ in first }
      for (key, value) in incoming.members {
        if let index = indices[key] {
          members[index].value = merge(value, into: members[index].value)
        } else {
          members.append((key, value))
        }
      }
      return JSON(members)
    case (.array, .array):
      var seen = Set(stored.elements)
      return JSON(Array(stored.elements) + incoming.elements.filter { seen.insert($0).inserted })
    default: return incoming
    }
  }
}
