internal import AnvilJSON

/// A difference between two shapes.
package struct ShapeChange: Hashable, Sendable {
  /// The kind of a change.
  package enum Kind: String, Sendable {
    /// A member was added.
    case added
    /// A member was removed.
    case removed
    /// A member is no longer in all objects.
    case optional
    /// A member is now in all objects.
    case required
    /// The values have other types.
    case type
    /// The format of strings has changed.
    case format
  }

  package let kind: Kind
  /// The path, such as `$.users[].address.zip`. `*` is any key of objects whose keys are data.
  package let path: String
  /// A short text about the old and the new state.
  package let text: String
  /// True if a program for the old shape may fail.
  package let isBreaking: Bool
}

extension SavedShape {
  /// Returns the changes from this shape to `new`, in the order of this shape. The members that were added to an object come after its
  /// other changes.
  ///
  /// Parts without values in one of the shapes, such as the elements of empty arrays, count as unchanged.
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
    // The type of a value that was always null is not known.
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
      return add(
        .type, path, "was a dictionary with arbitrary keys, is now an object with fixed fields", isBreaking: true)
    case (nil, _?) where !old.members.isEmpty:
      return add(
        .type, path, "was an object with fixed fields, is now a dictionary with arbitrary keys", isBreaking: true)
    default: break
    }
    // An empty object says nothing about the types of members. But members of other objects are not required then.
    let members = Dictionary(new.members.map { ($0.key, $0) }) { first, _ in first }
    for member in old.members {
      let place = "\(path)\(Self.step(member.key))"
      guard let newMember = members[member.key] else {
        add(.removed, place, "was \(member.shape.phrase)", isBreaking: member.isRequired)
        continue
      }
      if member.isRequired != newMember.isRequired {
        if member.isRequired {
          add(.optional, place, "was in every object, is now missing in some", isBreaking: true)
        } else {
          add(.required, place, "was missing in some objects, is now in every one", isBreaking: false)
        }
      }
      compare(member.shape, newMember.shape, at: place)
    }
    let known = Set(old.members.map(\.key))
    for member in new.members where !known.contains(member.key) {
      let presence = member.isRequired ? "in every object" : "missing in some objects"
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
