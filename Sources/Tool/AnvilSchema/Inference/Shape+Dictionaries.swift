internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Objects whose keys are data: `{"138586341": {…}, "138586345": {…}}`.
extension Shape.Objects {
  /// True if the keys are data rather than names, so that the objects are dictionaries.
  ///
  /// This is the case if there are more than ``mostMembers`` different keys. It is also the case if the values are alike and the keys are
  /// numbers, UUIDs, days or hashes, are mostly paths, are too many to be names, or differ from object to object. Objects without members
  /// are not dictionaries.
  package var areDictionaries: Bool {
    if haveTooManyKeys { return true }
    guard !members.isEmpty, valuesAreAlike else { return false }
    if members.allSatisfy({ Self.isIdentifier($0.key) }) { return true }
    let paths = members.count { $0.key.contains { "/.".contains($0) } }
    if members.count >= 3, paths * 2 >= members.count { return true }
    if count == 1 {
      let areObjects = members.allSatisfy { !$0.shape.objects.members.isEmpty }
      return members.count >= (areObjects ? 24 : 64)
    }
    // Few objects have the same members.
    let presences = members.reduce(0) { $0 + $1.count }
    return members.count >= 12 && presences * 4 < members.count * count
  }

  /// True if the values of all members could be of one type according to ``Shape/isLike(_:)``.
  package var valuesAreAlike: Bool {
    guard let first = members.first(where: { $0.shape.count > $0.shape.nulls })?.shape else { return true }
    return members.allSatisfy { $0.shape.isLike(first) }
  }

  /// Returns whether `key` is a number, a UUID, a day or a hash, and therefore not the name of a property.
  private static func isIdentifier(_ key: String) -> Bool {
    let bytes = key.utf8
    let isNumeric = !bytes.isEmpty && bytes.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "-") }
    if isNumeric, bytes.contains(where: isDigit) { return true }
    if bytes.count == 36 { return UUID(uuidString: key) != nil }
    // Hashes.
    return bytes.count >= 16 && bytes.contains(where: isDigit)
      && bytes.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension Shape {
  /// Returns whether values of both shapes could be of one type.
  ///
  /// They must be of the same kinds, except for `null`. Objects must have at least half of the members of the smaller one in common, unless
  /// all keys of both are identifiers.
  package func isLike(_ other: Shape) -> Bool {
    let mine = kinds.filter { $0 != .null }
    let others = other.kinds.filter { $0 != .null }
    if mine.isEmpty || others.isEmpty { return true }
    guard mine == others else { return false }
    if let elements = arrays.elements, let otherElements = other.arrays.elements, !elements.isLike(otherElements) {
      return false
    }
    return objects.isLike(other.objects)
  }
}

extension Shape.Objects {
  fileprivate func isLike(_ other: Shape.Objects) -> Bool {
    if members.isEmpty || other.members.isEmpty { return true }
    let areIdentifiers = members.allSatisfy { Self.isIdentifier($0.key) }
    if areIdentifiers, other.members.allSatisfy({ Self.isIdentifier($0.key) }) { return true }
    let shared = members.count { other[$0.key] != nil }
    return shared * 2 >= min(members.count, other.members.count)
  }
}
