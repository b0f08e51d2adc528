import Foundation

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// The text of a JSON value in which one value or key has been changed.
struct DamagedText {
  enum Damage: CaseIterable {
    /// Another kind of value.
    case otherKind
    /// `null`.
    case null
    /// A missing member.
    case missingKey
    /// A member with a misspelt name.
    case misspelledKey
    /// A value that is not JSON.
    case brokenValue
  }

  private(set) var bytes: [UInt8] = []
  let damage: Damage
  /// The path of the damaged value, or of the object whose key was damaged.
  let path: [JSON.Step]
  /// The damaged key.
  private(set) var key: String?
  /// The range of the damaged value, or of the object, in ``bytes``.
  private(set) var range = 0..<0

  /// The text that replaces the damaged value.
  private let replacement: String
  private let indentation: Int?

  /// Creates a text of `json` with this damage at a random place; `nil` if no place is suitable.
  init?(_ json: JSON, _ damage: Damage, using generator: inout some RandomNumberGenerator) {
    self.damage = damage
    indentation = [nil, 0, 2].randomElement(using: &generator) ?? nil
    var path: [JSON.Step] = []
    var value = json
    while value.kind == .object || value.kind == .array {
      guard let step = DamagedText.step(in: value, using: &generator) else { break }
      path.append(step)
      guard let next = DamagedText.value(at: step, of: value) else { return nil }
      value = next
      if Int.random(in: 0..<8, using: &generator) == 0 { break }
    }
    let isKey = damage == .missingKey || damage == .misspelledKey
    switch damage {
    case .null, .otherKind:
      // The model accepts any kind of value for a null.
      guard value.kind != .null else { return nil }
      let others = ["true", "17", "\"text\"", "[]", "{}"]
      let kinds: [JSON.Kind] = [.bool, .number, .string, .array, .object]
      let choices = zip(others, kinds).filter { $0.1 != value.kind }.map(\.0)
      replacement = damage == .null ? "null" : choices.randomElement(using: &generator) ?? "true"
    case .brokenValue:
      replacement =
        ["nul", "tru", "-", "01", "1.", "\"\\x\"", "'a'", "?", "@1"].randomElement(using: &generator) ?? "?"
    case .missingKey, .misspelledKey: replacement = ""
    }
    if isKey {
      guard case .key(let name) = path.last, name.utf8.count > 4 else { return nil }
      path.removeLast()
      key = name
    }
    self.path = path
    write(json, at: [], depth: 0)
  }

  private static func step(in value: JSON, using generator: inout some RandomNumberGenerator) -> JSON.Step? {
    value.kind == .array
      ? (0..<value.elements.count).randomElement(using: &generator).map { .index($0) }
      : value.members.map(\.key).randomElement(using: &generator).map { .key($0) }
  }

  static func value(at step: JSON.Step, of value: JSON) -> JSON? {
    switch step {
    case .key(let key): value[key]
    case .index(let index): value[index]
    }
  }

  /// The key without its third character, which resembles the original.
  var misspelled: String { key.map { String($0.prefix(2)) + String($0.dropFirst(3)) } ?? "" }

  private mutating func write(_ value: JSON, at place: [JSON.Step], depth: Int) {
    let start = bytes.count
    defer { if place == path { range = start..<bytes.count } }
    if place == path, key == nil {
      bytes += replacement.utf8
      return
    }
    switch value.kind {
    case .array:
      writeContainer("[", "]", value.elements.map { (JSON.Step?.none, $0) }, at: place, depth: depth)
    case .object:
      // Only the first of members with the same key is read.
      var seen: Set<String> = []
      let members = value.members.filter { seen.insert($0.key).inserted }
        .filter { !(place == path && damage == .missingKey && $0.key == key) }
      writeContainer("{", "}", members.map { (.some(.key($0.key)), $0.value) }, at: place, depth: depth)
    case .null: bytes += "null".utf8
    case .bool: bytes += (value.bool == true ? "true" : "false").utf8
    case .number: bytes += (value.numberText ?? "").utf8
    case .string: bytes += value.serialized()
    }
  }

  private mutating func writeContainer(
    _ open: String, _ close: String, _ parts: [(JSON.Step?, JSON)], at place: [JSON.Step], depth: Int
  ) {
    bytes += open.utf8
    for (index, (step, value)) in parts.enumerated() {
      if index > 0 { bytes += ",".utf8 }
      writeLineEnd(depth + 1)
      if case .key(let name) = step {
        let shown = place == path && damage == .misspelledKey && name == key ? misspelled : name
        bytes += JSON(shown).serialized() + (indentation == nil ? ":" : ": ").utf8
      }
      write(value, at: place + [step ?? .index(index)], depth: depth + 1)
    }
    if !parts.isEmpty { writeLineEnd(depth) }
    bytes += close.utf8
  }

  private mutating func writeLineEnd(_ depth: Int) {
    guard let indentation else { return }
    bytes += ("\n" + String(repeating: " ", count: indentation * depth)).utf8
  }
}
