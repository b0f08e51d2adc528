import Foundation

/// A converter from JSON values to Foundation objects. It is iterative, with an explicit stack.
struct FoundationObjectReader {
  /// A container under construction.
  private struct Frame {
    let isObject: Bool
    var elements: [Any] = []
    var members: [String: Any] = [:]
    var key = ""
    var elementsToCome: JSON.Elements.Iterator
    var membersToCome: JSON.Members.Iterator

    init(_ json: JSON) {
      isObject = json.kind == .object
      elementsToCome = json.elements.makeIterator()
      membersToCome = json.members.makeIterator()
    }

    mutating func next() -> JSON? {
      guard isObject else { return elementsToCome.next() }
      guard let (key, value) = membersToCome.next() else { return nil }
      self.key = key
      return value
    }

    mutating func add(_ object: Any) {
      guard isObject else { return elements.append(object) }
      // The first of several members with the same key is kept.
      if members[key] == nil { members[key] = object }
    }

    var object: Any { isObject ? members : elements }
    var step: JSON.Step { isObject ? .key(key) : .index(elements.count) }
  }

  private static let depthLimit = 512

  private let json: JSON
  private var frames: [Frame] = []

  init(_ json: JSON) {
    self.json = json
  }

  /// - Throws: ``TypeMismatchError``.
  mutating func read() throws -> Any {
    if let scalar = try begin(json) { return scalar }
    while true {
      if let value = frames[frames.count - 1].next() {
        if let scalar = try begin(value) { frames[frames.count - 1].add(scalar) }
      } else {
        let finished = frames.removeLast().object
        if frames.isEmpty { return finished }
        frames[frames.count - 1].add(finished)
      }
    }
  }

  /// Returns the object for a scalar. Pushes a container onto the stack and returns `nil`.
  private mutating func begin(_ json: JSON) throws -> Any? {
    switch json.kind {
    case .null: return NSNull()
    case .bool: return NSNumber(value: json.bool ?? false)
    case .string: return json.string ?? ""
    case .number: return try number(json)
    case .array, .object:
      guard frames.count < Self.depthLimit else {
        throw mismatch("at most \(Self.depthLimit) nested containers", json)
      }
      frames.append(Frame(json))
      return nil
    }
  }

  private func number(_ json: JSON) throws -> NSNumber {
    let text = json.numberText ?? ""
    // A number without fraction and exponent is an integer, except minus zero, which is a double.
    if text != "-0", text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }) {
      if let value = json.integer(as: Int64.self) { return NSNumber(value: value) }
      if let value = json.integer(as: UInt64.self) { return NSNumber(value: value) }
      if let value = json.decimal { return NSDecimalNumber(decimal: value) }
    }
    guard let value = json.double else { throw mismatch("NSNumber", json) }
    return NSNumber(value: value)
  }

  private func mismatch(_ expected: String, _ json: JSON) -> TypeMismatchError {
    TypeMismatchError(expected: expected, at: JSON.Path(steps: frames.map(\.step)), object: json, rootObject: self.json)
  }
}
