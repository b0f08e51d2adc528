import Foundation

/// A converter from Foundation objects to a document. It is iterative, with an explicit stack, because the objects may be deeply nested
/// and may contain themselves.
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

  /// Returns the document of `object`.
  ///
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

  /// The path of the object that is being written.
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
