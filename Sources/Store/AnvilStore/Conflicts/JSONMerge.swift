internal import AnvilJSON

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
