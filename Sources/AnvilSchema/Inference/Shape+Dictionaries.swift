internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Objects whose keys are data: `{"138586341": {…}, "138586345": {…}}`.
extension Shape.Objects {
  /// Whether keys are data rather than names, so that the objects are dictionaries: values are alike, and keys are numbers,
  /// UUIDs or days, or paths; or there are more than anybody would have named. Objects without members are none.
  package var areDictionaries: Bool {
    if areCountless { return true }
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

  /// Whether the values of all members are of one kind, objects with mostly the same members where they are objects.
  package var valuesAreAlike: Bool {
    guard let first = members.first(where: { $0.shape.count > $0.shape.nulls })?.shape else { return true }
    return members.allSatisfy { $0.shape.isLike(first) }
  }

  /// Whether `key` is a number, a UUID or a day: no name of a property.
  private static func isIdentifier(_ key: String) -> Bool {
    let bytes = key.utf8
    let isNumeric = !bytes.isEmpty && bytes.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "-") }
    if isNumeric, bytes.contains(where: isDigit) { return true }
    if bytes.count == 36 { return UUID(uuidString: key) != nil }
    // What hashes are written as.
    return bytes.count >= 16 && bytes.contains(where: isDigit)
      && bytes.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension Shape {
  /// Whether values of both shapes could be values of one type: of the same kinds, `null` aside, and where they are objects
  /// with at least half of their members in common.
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
