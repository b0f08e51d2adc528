public import AnvilBase

/// A JSON value: an immutable view into a parsed document.
///
///     let json = try JSON(parsing: data)
///     json["owner"]?["login"]?.string
///
/// A value is a reference to the document and an index. Copying a value copies neither text nor tape, and any value keeps the whole
/// of its document alive. The location of a value in its document is available as ``path`` and ``root``.
public struct JSON: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline let document: Document
  /// The index of the value's first word.
  @usableFromInline let index: Int

  @inlinable
  init(_ document: Document, at index: Int = 0) {
    self.document = document
    self.index = index
  }

  /// Parses `data`, a JSON text in UTF-8, UTF-16 or UTF-32.
  ///
  /// - Throws: ``SyntaxError`` if `data` is not JSON.
  /// - Complexity: O(*n*), where *n* is the number of bytes, which are copied once.
  public init(parsing data: Data, options: ParsingOptions = ParsingOptions()) throws(SyntaxError) {
    self.init(try Document.parse(data.bytes, options: options))
  }

  /// Parses `bytes`, a JSON text in UTF-8, UTF-16 or UTF-32.
  ///
  /// - Throws: ``SyntaxError`` if `bytes` are not JSON.
  public init(parsing bytes: [UInt8], options: ParsingOptions = ParsingOptions()) throws(SyntaxError) {
    // Safety: `UInt8` has no padding, and the array outlives the call.
    self.init(try Document.parse(unsafe bytes.elementSpan.bytes, options: options))
  }

  /// Parses `text`.
  ///
  /// - Throws: ``SyntaxError`` if `text` is not JSON; its offsets count the bytes of the text's UTF-8.
  public init(parsing text: String, options: ParsingOptions = ParsingOptions()) throws(SyntaxError) {
    let bytes = Array(text.utf8)
    // Safety: as above. The encoding is given because it is UTF-8 even if the text contains NULs.
    self.init(try Document.parse(unsafe bytes.elementSpan.bytes, options: options, in: .utf8))
  }

  @inline(__always) var word: TapeWord { document.tape[index] }
}

extension JSON {
  /// The kind of a value.
  public enum Kind: String, Hashable, Sendable, CustomStringConvertible {
    /// `null`
    case null
    /// `true` or `false`
    case bool
    /// A number, whole or not.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object

    /// The name of the kind, such as `array`.
    public var description: String { rawValue }
  }

  /// The kind of the value.
  public var kind: Kind {
    switch word.kind {
    case .null: .null
    case .false, .true: .bool
    case .integer, .double, .signed, .unsigned: .number
    case .string, .longString: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Accesses the value of the first member with the key `key`; `nil` if there is no such member or the value is not an object.
  ///
  /// A member that is `null` is a value: `json["key"] == nil` is true only if the member is missing.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public subscript(key: String) -> JSON? {
    guard word.is(.object) else { return nil }
    return document.value(of: key, inObjectAt: index).map { JSON(document, at: $0) }
  }

  /// Accesses the element at `index`, counted from 0; `nil` if the array has no such element or the value is not an array.
  ///
  /// - Complexity: O(*n*), where *n* is the index. To read all elements, iterate over ``elements``.
  public subscript(index: Int) -> JSON? {
    guard word.is(.array) else { return nil }
    return document.element(index, ofArrayAt: self.index).map { JSON(document, at: $0) }
  }

  /// The number of elements or members; 0 if the value is not a container.
  public var count: Int {
    word.isContainer ? document.count(ofContainerAt: index) : 0
  }
}

extension JSON: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns `json` itself.
  public static func decode(_ json: JSON) -> JSON { json }

  /// Reads any value. The result is its own ``root`` and does not keep the surrounding text alive.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the value, which is scanned twice.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> JSON { try reader.json() }

  /// Writes the value without white space, with the digits of its numbers as they were parsed.
  ///
  /// The nesting depth within the value does not count towards the limit. If the value was parsed with a higher depth limit than the
  /// default, parsing the text needs that limit too.
  public func write(to writer: inout JSON.Writer) {
    if writer.output.style.isObjectBegun, kind == .object { return writeMembers(to: &writer) }
    guard writer.claim() else { return }
    // Numbers can be out of range only if doubles are requested.
    try? Serializer.write(self, .compact, order: .document, numbers: .asWritten, to: writer.output)
    writer.output.append(.comma)
  }

  /// Writes the members of an object whose brace has been written.
  private func writeMembers(to writer: inout JSON.Writer) {
    writer.object { members in
      forEachMember { step, value in
        if case .key(let key) = step { members.write(key, value) }
      }
    }
  }
}

extension JSON: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> JSON {
    // A separate copy, so that a value that is kept does not keep the whole text alive.
    JSON(session.document, at: index).compactCopy()
  }
}

/// Values written as Swift literals.
///
///     let json: JSON = ["id": 1, "tags": ["a", nil], "score": 2.5, "open": true]
///
/// Array and dictionary literals copy their elements, so a literal nested *d* deep is copied *d* times.
extension JSON: ExpressibleByNilLiteral {
  /// Creates `null`.
  public init(nilLiteral: ()) {
    self.init { $0.appendNull() }
  }

  /// `null`, like the literal `nil`.
  public static let null: JSON = nil
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self.init(value)
  }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Creates a number from an integer.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Creates a number as ``init(_:)-(Double)`` does: `1.0` is written `1`, and a literal too large for a double is `null`.
  public init(floatLiteral value: Double) {
    self.init(value)
  }
}

extension JSON: ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: JSON...) {
    self.init(elements)
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object with its members in the order of the literal. Keys may repeat.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self.init(members.lazy.map { (key: $0, value: $1) })
  }
}

extension JSON {
  /// The outermost value of the document that contains this value. The outermost value is its own root.
  public var root: JSON { JSON(document) }

  /// A single step from a container to a value in it. Two steps are equal if their keys have the same Unicode scalars.
  package enum Step: Sendable {
    case key(String)
    /// The step to the element with this number, counted from 0.
    case index(Int)
  }

  /// The steps that lead from the root to this value; empty for the root.
  ///
  /// If several members of an object share a key, the step to each of them is the same.
  ///
  /// - Complexity: O(*d* · *m*), where *d* is the depth of the value and *m* the number of members of the containers around it. Values hold
  ///   no reference to the containers around them, so the steps are found by descending from the root.
  var stepsFromRoot: [Step] {
    var steps: [Step] = []
    var container = 0
    while container < index, let (step, value) = member(of: container, around: index) {
      steps.append(step)
      container = value
    }
    return steps
  }

  /// Returns the step to the member of the container at `container` that contains the word at `target`, and the index of its value.
  private func member(of container: Int, around target: Int) -> (Step, Int)? {
    guard document.tape[container].isContainer else { return nil }
    let members = document.members(ofContainerAt: container)
    for (position, member) in members.enumerated() where target < document.index(after: member.value) {
      return (members.isObject ? .key(document.string(at: member.key)) : .index(position), member.value)
    }
    return nil
  }
}

extension JSON.Step: Hashable {
  package static func == (left: JSON.Step, right: JSON.Step) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): ScalarKey(left) == ScalarKey(right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): hasher.combine(ScalarKey(key))
    case .index(let index): hasher.combine(index)
    }
  }
}

/// A value as Swift types. Each property is `nil` if the value is of another kind. Nothing is converted: `"1"` is not a number, and
/// `1` is not a Boolean.
extension JSON {
  /// A Boolean value that indicates whether the value is `null`. `json == nil` returns the same.
  public var isNull: Bool { word.is(.null) }

  /// The Boolean, `true` or `false`; `nil` for anything else, including numbers.
  public var bool: Bool? { word.isBool ? word.is(.true) : nil }

  /// The string; `nil` for anything else.
  ///
  /// - Complexity: O(*n*), where *n* is the length; one allocation for more than 15 bytes of UTF-8.
  public var string: String? { word.isString ? document.string(at: index) : nil }

  /// The double nearest to the number, with ties to even; `nil` beyond the range of doubles (`1e400`). It is infinite or NaN only
  /// for a JSON5 text that contains such a number.
  public var double: Double? { document.double(at: index) }

  /// The number as `Int`. See ``integer(as:)``.
  public var int: Int? { document.integer(at: index, as: Int.self) }

  /// Returns the number as an integer; `nil` if it is not whole or does not fit `Value`.
  ///
  /// The exact value decides, not the notation: `1`, `1.0` and `10e-1` are the same integer. No digit is lost: 9007199254740993 is returned
  /// unchanged, and 1.00000000000000000001 is not whole.
  ///
  /// - Parameter type: An integer type of up to 128 bits.
  public func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
    document.integer(at: index, as: type)
  }

  /// The number with as many of its digits as `Decimal` can store (38); `nil` beyond the range of `Decimal`.
  public var decimal: Decimal? { document.decimal(at: index) }

  /// The number as it is written in the document, such as `1.50` or `1E5`. Integers that fit 60 bits are formatted by Swift, with the same
  /// result. Numbers that only JSON5 has are `Infinity`, `-Infinity` or `NaN`.
  public var numberText: String? { document.numberText(at: index) }
}

extension JSON {
  /// The elements of an array in order; empty if the value is not an array.
  ///
  /// The collection is a view and builds nothing: advancing an index is an addition, and `count` is stored.
  public var elements: Elements {
    Elements(document: document, start: index + 1, end: word.is(.array) ? index + word.span : index + 1)
  }

  /// The elements of an array: a view into the document.
  public struct Elements: Sendable {
    fileprivate let document: Document
    fileprivate let start: Int
    fileprivate let end: Int
  }
}

extension JSON.Elements: Collection {
  /// The position of an element.
  public struct Index: Comparable, Sendable {
    fileprivate let offset: Int

    /// Compares two positions by their order in the document.
    public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
  }

  /// The position of the first element.
  public var startIndex: Index { Index(offset: start) }
  /// The position after the last element.
  public var endIndex: Index { Index(offset: end) }

  /// The number of elements.
  ///
  /// - Complexity: O(1) up to 2²⁸ elements, O(*n*) beyond.
  public var count: Int { start < end ? document.count(ofContainerAt: start - 1) : 0 }

  /// Returns the position after `index`.
  ///
  /// - Complexity: O(1), regardless of the size of the element.
  public func index(after index: Index) -> Index {
    precondition(index.offset >= start && index.offset < end, "the index is out of range")
    return Index(offset: index.offset + document.tape[index.offset].span)
  }

  /// Accesses the element at `index`, which must be an index of this collection.
  public subscript(index: Index) -> JSON {
    precondition(index.offset >= start && index.offset < end, "the index is out of range")
    return JSON(document, at: index.offset)
  }

  /// An iterator over the elements of an array.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate let document: Document
    fileprivate var offset: Int
    fileprivate let end: Int

    /// Returns the next element; `nil` after the last one.
    public mutating func next() -> JSON? {
      guard offset < end else { return nil }
      defer { offset += document.tape[offset].span }
      return JSON(document, at: offset)
    }
  }

  /// Returns an iterator that starts at the first element.
  public func makeIterator() -> Iterator { Iterator(document: document, offset: start, end: end) }
}
