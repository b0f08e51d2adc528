public import AnvilBase

extension JSON {
  /// The place of one value in a text that is being written.
  ///
  /// The value is written by exactly one call of ``write(_:)``, ``object(_:)`` or ``array(_:)``. The text around
  /// it is not accessible, so the text is always well-formed. A writer is valid during ``JSON/write(_:)``.
  /// The compiler rejects code that keeps it or exchanges it with the writer of another text.
  ///
  /// Every value is followed by a comma, and the last comma is removed at the end of a container and of the text. This needs no
  /// state, and a scalar stores its value and the comma at once.
  public struct Writer: ~Copyable, ~Escapable {
    /// The text so far. Between values it has room for at least ``OutputMemory/slack`` more bytes.
    @usableFromInline let output: OutputMemory
    @usableFromInline var depth = 0
    /// True if the value has not been written yet.
    @usableFromInline var expectsValue = false
    /// The failure and the tagged objects in the text; `nil` for most texts.
    @usableFromInline var notes: Notes?

    /// Creates a writer with the forms of `style`.
    ///
    /// Safety: `memory` has ``OutputMemory/stackSize`` bytes, is aligned for any word, and outlives the writer.
    @usableFromInline
    @_lifetime(immortal)
    init(_ style: DirectStyle, in memory: UnsafeMutableRawPointer) {
      output = unsafe OutputMemory(style, in: memory)
    }

    deinit { output.deallocate() }

    /// Writes `value` at this position.
    @inlinable @inline(__always)
    public mutating func write<Value: JSONWritable>(_ value: borrowing Value) {
      value.write(to: &self)
    }

    /// Writes `null`.
    @inlinable
    mutating func writeNull() {
      if claim() { output.writeNull() }
    }

    /// Writes an object with the members that `body` writes, in order.
    ///
    /// Members that share a key are all written.
    @inlinable @inline(__always)
    public mutating func object(_ body: (_ members: inout Members) -> Void) {
      guard claim(), open(.openBrace) else { return }
      var members = Members(writer: self)
      body(&members)
      self = members.writer
      close(.closeBrace)
    }

    /// Writes an array with the elements that `body` writes, in order.
    @inlinable @inline(__always)
    public mutating func array(_ body: (_ elements: inout Elements) -> Void) {
      guard claim(), open(.openBracket) else { return }
      var elements = Elements(writer: self)
      body(&elements)
      self = elements.writer
      close(.closeBracket)
    }

    /// Writes `value`, which must be an object, with an additional first member that has the key `key` and the value `tag`.
    ///
    ///     func write(to writer: inout JSON.Writer) {
    ///       switch self {
    ///       case .circle(let circle): writer.write(circle, taggedBy: "type", "circle")
    ///       case .square(let square): writer.write(square, taggedBy: "type", "square")
    ///       }
    ///     }
    ///
    /// The tag is a string, a number or a Boolean. A value that is not an object is a failure. If the value has a member with the key `key`,
    /// that member is left out: a second value of the key would make the tag ambiguous.
    ///
    /// - Complexity: O(*n*) besides writing the value, where *n* is the length of its text without the tagged values in it.
    package mutating func write<Value: JSONWritable, Tag: JSONWritable>(
      _ value: borrowing Value, taggedBy key: StaticString, _ tag: Tag
    ) {
      // A tagged value in a tagged value is one object.
      let beginsObject = !output.style.isObjectBegun
      let objectStart = output.count
      if beginsObject {
        output.append(.openBrace)
        output.changeStyle { $0.taggedDepth &+= 1 }
      }
      let start = output.count
      output.write(key: key)
      let writtenKey = start..<output.count
      let expectsValue = self.expectsValue
      output.changeStyle { $0.isObjectBegun = false }
      place(tag)
      self.expectsValue = expectsValue
      let members = output.count
      output.changeStyle { $0.isObjectBegun = true }
      value.write(to: &self)
      if output.style.isObjectBegun {
        output.changeStyle { $0.isObjectBegun = false }
        fail(.invalidValue("a tagged value that is not an object"))
      } else if failure == nil {
        findMembers(withKeyIn: writtenKey, from: members)
      }
      if beginsObject { endTaggedObject(from: objectStart) }
    }

    /// Records that the value at this position has no JSON form. ``JSON/write(_:)`` will throw
    /// ``JSON/WritingError/Code-swift.enum/invalidValue(_:)``.
    ///
    /// - Parameter problem: The problem, in a few words.
    /// - Complexity: O(*n*) for the first failure of a text, where *n* is the number of bytes before the value.
    @inline(never)
    public mutating func fail(_ problem: String) {
      fail(problem, at: [])
    }

    /// Records a failure at the end of `steps` from the value.
    @inline(never)
    package mutating func fail(_ problem: String, at steps: [JSON.Step]) {
      fail(.invalidValue(problem), isBeforeValue: expectsValue, at: steps)
      if expectsValue { writeNull() }
    }
  }
}

extension JSON.Writer {
  /// The state of a writer that most texts do not need. It takes one word of the writer, which is copied for each container.
  @usableFromInline
  final class Notes {
    fileprivate(set) var failure: JSON.WritingError?
    /// The ranges of the tagged objects that have ended in the current one, in order. None contains another.
    private var taggedObjects: [Range<Int>] = []
    /// The ranges of members that are left out, each with the comma before it.
    fileprivate var surplus: [Range<Int>] = []

    fileprivate init() {}

    fileprivate func taggedObjects(from offset: Int) -> ArraySlice<Range<Int>> {
      var index = taggedObjects.endIndex
      while index > 0, taggedObjects[index - 1].lowerBound >= offset { index -= 1 }
      return taggedObjects[index...]
    }

    fileprivate func addTaggedObject(_ object: Range<Int>) {
      taggedObjects.removeLast(taggedObjects(from: object.lowerBound).count)
      taggedObjects.append(object)
    }

    /// ``surplus`` in order. A member in a member that is left out is not repeated.
    fileprivate var disjointSurplus: [Range<Int>] {
      surplus.sorted(on: \.lowerBound).reduce(into: []) { ranges, range in
        if ranges.last.map({ $0.upperBound <= range.lowerBound }) ?? true { ranges.append(range) }
      }
    }

    fileprivate func forgetTaggedObjects() { (taggedObjects, surplus) = ([], []) }
  }

  /// Writes `value` at the current position, where a value is expected.
  @inlinable @inline(__always)
  mutating func place<Value: JSONWritable & ~Copyable>(_ value: borrowing Value) {
    expectsValue = true
    value.write(to: &self)
    if expectsValue { failWithoutValue() }
  }

  /// Notes that the members with the key in the range `key` of the text will be left out. The members begin at `offset`, and their object is
  /// the last value in the text.
  ///
  /// The text of tagged objects in this object is skipped: it was searched when they ended. Otherwise nested objects would be searched once
  /// for each object around them.
  private mutating func findMembers(withKeyIn key: Range<Int>, from offset: Int) {
    let objects = notes?.taggedObjects(from: offset) ?? []
    var start = offset
    var isFound = false
    for object in objects where !isFound {
      isFound = output.contains(key, in: start..<object.lowerBound)
      start = object.upperBound
    }
    guard isFound || output.contains(key, in: start..<output.count) else { return }
    let members = output.withSpan(0..<output.count) {
      OutputLocator.members(withKeyIn: key, of: $0, from: offset, skipping: objects)
    }
    if !members.isEmpty { writtenNotes().surplus += members }
  }

  /// Ends a tagged object that begins at `start`. Members are only removed when the outermost one ends: otherwise the text after a member
  /// would be moved once for each object around it.
  private mutating func endTaggedObject(from start: Int) {
    output.changeStyle { $0.taggedDepth &-= 1 }
    if output.style.taggedDepth > 0 {
      if failure == nil { writtenNotes().addTaggedObject(start..<output.count - 1) }
    } else if let notes {
      if failure == nil { output.remove(notes.disjointSurplus) }
      notes.forgetTaggedObjects()
    }
  }

  private mutating func writtenNotes() -> Notes {
    if let notes { return notes }
    let notes = Notes()
    self.notes = notes
    return notes
  }

  /// The first failure.
  var failure: JSON.WritingError? { notes?.failure }

  /// Records that the value is written now, and returns true. If a value has already been written at this position, records a failure and
  /// returns false.
  @inlinable @inline(__always)
  mutating func claim() -> Bool {
    guard expectsValue else {
      fail(.severalValues)
      return false
    }
    expectsValue = false
    return true
  }

  /// Begins a container and returns true. If the nesting is too deep or a failure has been recorded, writes `null` and returns false
  /// instead. The text is discarded after a failure, but writing must end even for a value that contains itself.
  @usableFromInline @inline(never)
  mutating func open(_ bracket: UInt8) -> Bool {
    guard depth < output.style.plainDepthLimit, output.hasRoom(for: 1) else { return openConditionally(bracket) }
    depth &+= 1
    output.put(bracket, length: 1)
    return true
  }

  @usableFromInline @inline(never)
  mutating func writeEmptyArray() {
    guard claim() else { return }
    if depth < output.style.plainDepthLimit, output.hasRoom(for: 4) {
      output.put((0x2C5D5B as UInt32).littleEndian, length: 3)
    } else if open(.openBracket) {
      close(.closeBracket)
    }
  }

  @inline(never)
  private mutating func openConditionally(_ bracket: UInt8) -> Bool {
    depth &+= 1
    let depthLimit = output.style.depthLimit
    if depth <= depthLimit, failure == nil, !output.style.isObjectBegun || bracket == .openBrace {
      if output.style.isObjectBegun { output.changeStyle { $0.isObjectBegun = false } } else { output.append(bracket) }
      return true
    }
    depth &-= 1
    // A tagged array is reported where it was tagged.
    if depth >= depthLimit { fail(.tooDeep(limit: depthLimit), isBeforeValue: true) }
    output.writeNull()
    return false
  }

  @usableFromInline @inline(never)
  mutating func close(_ bracket: UInt8) {
    depth &-= 1
    output.close(bracket)
  }

  @usableFromInline @inline(never)
  mutating func failWithoutValue() {
    fail(.noValue)
    writeNull()
  }

  /// Records the failure if it is the first.
  @usableFromInline @inline(never)
  mutating func fail(_ code: JSON.WritingError.Code) {
    fail(code, isBeforeValue: expectsValue)
  }

  /// Records the failure if it is the first. It concerns the value that is about to be written if `isBeforeValue` is true, and otherwise
  /// the last value in the text, or the value at the end of `steps` from there.
  @inline(never)
  mutating func fail(_ code: JSON.WritingError.Code, isBeforeValue: Bool, at steps: [JSON.Step] = []) {
    guard failure == nil else { return }
    let path = output.withSpan(0..<output.count) { OutputLocator.path(atEndOf: $0, isBeforeValue: isBeforeValue) }
    writtenNotes().failure = JSON.WritingError(code, at: JSON.Path(steps: path.steps + steps))
    output.changeStyle { $0.hasFailed = true }
  }
}

/// Writing types that are only `Encodable`, as parts of types with a direct path.
extension JSON.Writer {
  /// Writes `value` with its `encode(to:)`, which is slower than writing a ``JSONWritable`` type.
  ///
  /// Dates have the writer's format. An error of `encode(to:)` is recorded as a failure.
  @_disfavoredOverload
  public mutating func write<Value: Encodable>(_ value: Value) {
    if let json = json(of: value) { json.write(to: &self) }
  }

  /// Writes `value`, which must be an object, with its `encode(to:)`. Adds a member before the object's members.
  @_disfavoredOverload
  package mutating func write<Value: Encodable, Tag: JSONWritable>(
    _ value: Value, taggedBy key: StaticString, _ tag: Tag
  ) {
    if let json = json(of: value) { write(json, taggedBy: key, tag) }
  }

  /// Returns the JSON that `value` encodes. After an error, records a failure and returns `nil`.
  @inline(never)
  private mutating func json<Value: Encodable>(of value: Value) -> JSON? {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    encoder.dateEncodingStrategy = output.style.dates.strategies.encoding
    do {
      return try JSON(parsing: encoder.encode(value))
    } catch {
      fail((error as? EncodingError)?.reason ?? "\(error)")
      return nil
    }
  }
}

extension JSON.Writer.Members {
  /// Writes a member with the `encode(to:)` of `value`.
  @_disfavoredOverload @inlinable
  public mutating func write<Value: Encodable>(_ key: StaticString, _ value: Value) {
    writer.output.write(key: key)
    writer.expectsValue = true
    writer.write(value)
  }

  /// Writes a member with the `encode(to:)` of `value`, or nothing if it is `nil`.
  @_disfavoredOverload @inlinable
  public mutating func write<Value: Encodable>(_ key: StaticString, ifPresent value: Value?) {
    if let value { write(key, value) }
  }
}

extension JSON.Writer.Elements {
  /// Writes an element with the `encode(to:)` of `value`.
  @_disfavoredOverload @inlinable
  public mutating func write<Value: Encodable>(_ value: Value) {
    writer.expectsValue = true
    writer.write(value)
  }
}

extension EncodingError {
  /// The description of the error, without its path.
  fileprivate var reason: String {
    switch self {
    case .invalidValue(_, let context): context.debugDescription
    @unknown default: "\(self)"
    }
  }
}

extension JSON.Writer {
  /// The elements of an array that is being written. Like a writer, it cannot be kept or exchanged.
  public struct Elements: ~Copyable, ~Escapable {
    @usableFromInline var writer: JSON.Writer

    @inlinable @inline(__always)
    @_lifetime(copy writer)
    init(writer: consuming JSON.Writer) { self.writer = writer }

    /// Writes an element, or `null` if `value` is `nil`.
    @inlinable @inline(__always)
    public mutating func write<Value: JSONWritable>(_ value: borrowing Value) { writer.place(value) }

    /// Writes `values` as elements.
    ///
    /// It is generic over types that cannot be copied. A loop over copyable elements would copy each element and retain the objects that it
    /// refers to, which took 27 % of the instructions for github_events.json.
    @inlinable @inline(__always)
    mutating func write<Value: JSONWritable & ~Copyable>(contentsOf values: borrowing Span<Value>) {
      for index in values.indices { writer.place(values[index]) }
    }

    /// Writes an element that is an object with the members that `body` writes.
    @inlinable @inline(__always)
    public mutating func object(_ body: (_ members: inout Members) -> Void) {
      writer.expectsValue = true
      writer.object(body)
    }

    /// Writes an element that is an array with the elements that `body` writes.
    @inlinable @inline(__always)
    public mutating func array(_ body: (_ elements: inout Elements) -> Void) {
      writer.expectsValue = true
      writer.array(body)
    }
  }
}
