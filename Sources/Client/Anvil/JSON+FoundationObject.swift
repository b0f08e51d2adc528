internal import AnvilBase
import Foundation

extension JSON {
  /// Creates the JSON value of `object`, which is an object as `JSONSerialization` reads and writes them.
  ///
  /// The supported objects are dictionaries with string keys, arrays, strings, numbers, and `NSNull`, as Foundation classes or Swift
  /// types, and `nil` in an `Any`. Booleans and numbers are distinguished by the type that they were created from: `NSNumber(value: 1)`
  /// is a number, `NSNumber(value: true)` is a Boolean. `NSDecimalNumber` keeps its digits. Members have the dictionary's order.
  ///
  /// - Throws: ``JSON/WritingError`` with the path: for objects of other classes (`Date`, `URL`, `Data`), keys that are not strings,
  ///   numbers that are not finite, and more than 512 nested containers. A container that contains itself exceeds this limit. On Linux, it
  ///   cannot be passed to Foundation at all, because that overflows the stack.
  /// - Complexity: O(*n*), where *n* is the number of objects.
  public init(foundationObject object: Any) throws {
    var writer = FoundationObjectWriter(.strict)
    try self.init(writer.write(object))
  }

  /// The value as a Foundation object: `[String: Any]`, `[Any]`, `String`, `NSNumber` or `NSNull`, as `JSONSerialization` reads them.
  ///
  /// The first of several members with the same key is kept. Integers that fit into 64 bits remain integers. Larger ones are
  /// `NSDecimalNumber`, which holds 38 digits. All other numbers are doubles.
  ///
  /// - Throws: ``TypeMismatchError`` for a number beyond the range of doubles, and for more than 512 nested containers, which
  ///   Foundation's types cannot release safely.
  /// - Complexity: O(*n*), where *n* is the number of values.
  public var foundationObject: Any {
    get throws {
      var reader = FoundationObjectReader(self)
      return try reader.read()
    }
  }
}

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
    if text != "-0", text.utf8.allSatisfy({ $0 == .minus || $0.isDigit }) {
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

/// The conversion is iterative, with an explicit stack, because the objects may be deeply nested and may contain themselves.
struct FoundationObjectWriter {
  enum Mode {
    /// An object without a JSON form is an error.
    case strict
    /// An object without a JSON form is written as a string with the name of its type, for errors.
    case lenient
  }

  private enum Frame {
    case array(IndexingIterator<[Any]>, count: Int)
    case object(Dictionary<String, Any>.Iterator, key: String)
  }

  private static let depthLimit = 512

  private let mode: Mode
  private var builder = DocumentBuilder()
  private var frames: [Frame] = []

  init(_ mode: Mode) {
    self.mode = mode
  }

  /// - Throws: ``JSON/WritingError``.
  mutating func write(_ object: Any) throws -> DocumentBuilder {
    try begin(object)
    while let next = nextObject() { try begin(next) }
    return builder
  }

  /// Returns the next object of the innermost container, after writing its key. Closes containers that have no more objects.
  private mutating func nextObject() -> Any? {
    while let last = frames.popLast() {
      switch last {
      case .array(var elements, let count):
        if let element = elements.next() {
          frames.append(.array(elements, count: count + 1))
          return element
        }
      case .object(var members, _):
        if let (key, value) = members.next() {
          frames.append(.object(members, key: key))
          builder.appendKey(key)
          return value
        }
      }
      builder.endContainer()
    }
    return nil
  }

  /// Writes a scalar, or the start of a container.
  private mutating func begin(_ object: Any) throws {
    switch object {
    case is NSNull: builder.appendNull()
    case let optional as any AnyOptional:
      if let object = optional.wrapped { try begin(object) } else { builder.appendNull() }
    case let object as String: builder.append(object)
    case let object as any FoundationScalar: try write(object.number)
    case let object as NSNumber: try write(object.number)
    case let object as [Any]:
      guard try hasRoom() else { return }
      builder.beginArray()
      frames.append(.array(object.makeIterator(), count: 0))
    case let object as [String: Any]: try begin(members: object)
    case let object as [AnyHashable: Any]:
      if let key = object.keys.first(where: { !($0.base is String) }), mode == .strict {
        throw JSON.WritingError(.invalidValue("a key that is not a string (\(type(of: key.base)))"), at: path)
      }
      try begin(members: Dictionary(object.map { ("\($0.base)", $1) }, uniquingKeysWith: { first, _ in first }))
    default:
      let type = "\(type(of: object))"
      try refuse(.invalidValue("an object that JSON cannot represent (\(type))"), type)
    }
  }

  private mutating func begin(members: [String: Any]) throws {
    guard try hasRoom() else { return }
    builder.beginObject()
    frames.append(.object(members.makeIterator(), key: ""))
  }

  private mutating func write(_ number: FoundationNumber) throws {
    switch number {
    case .bool(let value): builder.append(value)
    case .integer(let value): builder.append(integer: value)
    case .double(let value):
      guard value.isFinite else { return try refuse(.notFinite, "\(value)") }
      builder.append(value)
    case .float(let value):
      guard value.isFinite else { return try refuse(.notFinite, "\(value)") }
      // The digits of the float are written, because those of the double would be more.
      if value == value.rounded(), value.magnitude < 0x1p24 {
        builder.append(Double(value))
      } else {
        builder.appendNumber(value.description)
      }
    case .decimal(let value):
      guard !value.isNaN else { return try refuse(.notFinite, "\(value)") }
      builder.appendNumber(value.description)
    }
  }

  /// Returns whether another container may be opened. If not, throws an error or, in lenient mode, writes a placeholder.
  private mutating func hasRoom() throws -> Bool {
    if frames.count < Self.depthLimit { return true }
    try refuse(.tooDeep(limit: Self.depthLimit), nil)
    return false
  }

  /// Throws an error for an object without a JSON form or, in lenient mode, writes a placeholder.
  private mutating func refuse(_ code: JSON.WritingError.Code, _ placeholder: String?) throws {
    guard mode == .lenient else { throw JSON.WritingError(code, at: path) }
    builder.append(placeholder.map { "<\($0)>" } ?? "…")
  }

  private var path: JSON.Path {
    JSON.Path(
      steps: frames.map { frame in
        switch frame {
        case .array(_, let count): .index(count - 1)
        case .object(_, let key): .key(key)
        }
      })
  }
}

/// An optional of any type. An `Any` may contain one, which is `nil` or wraps an object.
private protocol AnyOptional {
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var wrapped: Any? { map { $0 as Any } }
}
