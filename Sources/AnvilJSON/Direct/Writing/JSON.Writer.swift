extension JSON {
  /// The place of one value in a text that is being written.
  ///
  /// A value is written by ``write(_:)``, ``writeNull()``, ``object(_:)`` or ``array(_:)``, one of them once. What stands
  /// around it is not to be reached from here, so that the text is well-formed whatever a type does. A writer lives as long
  /// as ``JSON/write(_:)``; it cannot be kept, nor be exchanged with the writer of another text, which does not compile.
  ///
  /// Every value is followed by a comma; the end of a container, and of the text, takes the last one back. That needs no
  /// state, and a leaf stores its value and the comma at once.
  public struct Writer: ~Copyable, ~Escapable {
    /// More containers in each other are refused: what `ParsingOptions` allow unless told otherwise.
    @usableFromInline static let maximumDepth = 512

    /// Between values there is room for ``OutputMemory/slack`` bytes more.
    @usableFromInline let output: OutputMemory
    @usableFromInline var depth = 0
    /// Whether the value has not been written yet.
    @usableFromInline var expectsValue = false
    /// What failed first.
    @usableFromInline var failure: WritingError?

    @usableFromInline
    @_lifetime(immortal)
    init() {
      output = OutputMemory(capacity: 1024)
    }

    deinit { output.deallocate() }

    /// Writes `value` here.
    @inlinable @inline(__always)
    public mutating func write<Value: JSONWritable>(_ value: borrowing Value) {
      value.write(to: &self)
    }

    /// Writes `null`.
    @inlinable
    public mutating func writeNull() {
      if claim() { output.writeNull() }
    }

    /// Writes an object with the members that `body` writes, in their order.
    ///
    /// Members with the same key are all written.
    @inlinable @inline(__always)
    public mutating func object(_ body: (_ members: inout Members) -> Void) {
      guard claim(), open(0x7B) else { return }
      var members = Members(writer: self)
      body(&members)
      self = members.writer
      close(0x7D)
    }

    /// Writes an array with the elements that `body` writes, in their order.
    @inlinable @inline(__always)
    public mutating func array(_ body: (_ elements: inout Elements) -> Void) {
      guard claim(), open(0x5B) else { return }
      var elements = Elements(writer: self)
      body(&elements)
      self = elements.writer
      close(0x5D)
    }

    /// Keeps that the value that belongs here has no form in JSON: ``JSON/write(_:)`` will throw
    /// ``JSON/WritingError/Code-swift.enum/invalidValue(_:)``.
    ///
    /// - Parameter problem: what is wrong with it, in a few words.
    /// - Complexity: O(*n*), *n* the bytes before the place, for the first failure of a text.
    @inline(never)
    public mutating func fail(_ problem: String) {
      fail(.invalidValue(problem))
      if expectsValue { writeNull() }
    }
  }
}

extension JSON.Writer {
  /// Makes this the place of the next value, `value`.
  @inlinable @inline(__always)
  mutating func place<Value: JSONWritable>(_ value: borrowing Value) {
    expectsValue = true
    value.write(to: &self)
    if expectsValue { failWithoutValue() }
  }

  /// Whether a value may be written here, which from now on none may.
  @inlinable @inline(__always)
  mutating func claim() -> Bool {
    guard expectsValue else {
      fail(.severalValues)
      return false
    }
    expectsValue = false
    return true
  }

  /// Begins a container, unless there are too many around it or something has failed: in a text that will be thrown away
  /// a value that contains itself must not go on.
  @usableFromInline @inline(never)
  mutating func open(_ bracket: UInt8) -> Bool {
    depth &+= 1
    if depth <= Self.maximumDepth, failure == nil {
      output.append(bracket)
      return true
    }
    depth &-= 1
    fail(.tooDeep(limit: Self.maximumDepth), isBeforeValue: true)
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

  /// Keeps the first failure.
  @usableFromInline @inline(never)
  mutating func fail(_ code: JSON.WritingError.Code) {
    fail(code, isBeforeValue: expectsValue)
  }

  /// Keeps the first failure, of the value that begins at the end of the text or of the last one in it.
  @inline(never)
  mutating func fail(_ code: JSON.WritingError.Code, isBeforeValue: Bool) {
    guard failure == nil else { return }
    let path = output.withSpan(0..<output.count) { WrittenPlace.path(atEndOf: $0, isBeforeValue: isBeforeValue) }
    failure = JSON.WritingError(code, at: path)
  }
}
