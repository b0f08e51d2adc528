internal import AnvilJSON

/// A difference between two shapes.
package struct ShapeChange: Hashable, Sendable {
  /// The kind of a change.
  package enum Kind: String, Sendable {
    /// A member that was not there.
    case added
    /// A member that is no longer there.
    case removed
    /// A member that all objects had and not all have.
    case optional
    /// A member that not all objects had and all have.
    case required
    /// Values of other types.
    case type
    /// Strings that are no longer of a format, or are of one now.
    case format
  }

  package let kind: Kind
  /// The place: `$.users[].address.zip`; `*` stands for any key of objects whose keys are data.
  package let path: String
  /// The old and the new state in a few words.
  package let text: String
  /// Whether a program that was written for the old shape may fail.
  package let isBreaking: Bool
}

extension SavedShape {
  /// Returns the changes from this shape to `new`, in the order of this shape; additions to an object come last.
  ///
  /// Where one of the shapes has seen no value, such as the elements of empty arrays, nothing has changed.
  package func changes(to new: SavedShape) -> [ShapeChange] {
    var finder = ShapeChangeFinder()
    finder.compare(self, new, at: "$")
    return finder.changes
  }
}

private struct ShapeChangeFinder {
  var changes: [ShapeChange] = []

  mutating func compare(_ old: SavedShape, _ new: SavedShape, at path: String) {
    guard !old.types.isEmpty, !new.types.isEmpty else { return }
    compareTypes(old, new, at: path)
    if old.types.contains(.string), new.types.contains(.string), old.format != new.format {
      let text = "was \(old.format ?? "any text"), is \(new.format ?? "any text")"
      add(.format, path, text, isBreaking: old.format != nil)
    }
    if let elements = old.elements, let newElements = new.elements { compare(elements, newElements, at: "\(path)[]") }
    compareObjects(old, new, at: path)
  }

  private mutating func compareTypes(_ old: SavedShape, _ new: SavedShape, at path: String) {
    guard old.types != new.types else { return }
    // A value that was always null may be anything else.
    let isNew = old.isUnknown && !new.isUnknown
    var added = new.types.subtracting(old.types)
    if old.types.contains(.number) { added.remove(.integer) }
    add(.type, path, "was \(old.phrase), is \(new.phrase)", isBreaking: !isNew && !added.isEmpty)
  }

  private mutating func compareObjects(_ old: SavedShape, _ new: SavedShape, at path: String) {
    guard old.types.contains(.object), new.types.contains(.object) else { return }
    switch (old.values, new.values) {
    case (let values?, let newValues?): return compare(values, newValues, at: "\(path).*")
    case (_?, nil) where !new.members.isEmpty:
      return add(.type, path, "keys were data, are names", isBreaking: true)
    case (nil, _?) where !old.members.isEmpty:
      return add(.type, path, "keys were names, are data", isBreaking: true)
    default: break
    }
    // An empty object shows no member, but that it lacks those of others.
    let members = Dictionary(new.members.map { ($0.key, $0) }) { first, _ in first }
    for member in old.members {
      let place = "\(path)\(Self.step(member.key))"
      guard let newMember = members[member.key] else {
        add(.removed, place, "was \(member.shape.phrase)", isBreaking: member.isRequired)
        continue
      }
      if member.isRequired != newMember.isRequired {
        if member.isRequired {
          add(.optional, place, "was in every object, is not in all", isBreaking: true)
        } else {
          add(.required, place, "was not in all objects, is in every", isBreaking: false)
        }
      }
      compare(member.shape, newMember.shape, at: place)
    }
    let known = Set(old.members.map(\.key))
    for member in new.members where !known.contains(member.key) {
      let presence = member.isRequired ? "in every object" : "not in all objects"
      add(.added, "\(path)\(Self.step(member.key))", "\(member.shape.phrase), \(presence)", isBreaking: false)
    }
  }

  private mutating func add(_ kind: ShapeChange.Kind, _ path: String, _ text: String, isBreaking: Bool) {
    changes.append(ShapeChange(kind: kind, path: path, text: text, isBreaking: isBreaking))
  }

  private static func step(_ key: String) -> String {
    let step = JSON.Path(steps: [.key(key)]).description
    return step.hasPrefix("[") ? step : ".\(step)"
  }
}
