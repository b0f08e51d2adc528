public import AnvilBase

/// Writes a value as JSON text in UTF-8.
///
/// Strings are escaped as little as RFC 8259 §7 allows: quotation mark, backslash and control characters. Control characters use
/// the short form if there is one. RFC 8785 §3.2.2.2 requires the same. Slashes are escaped only in the text of an encoder.
struct Serializer {
  enum Numbers {
    /// Numbers have the text of the document.
    case asWritten
    /// Numbers have the text that ECMAScript writes for the nearest double.
    case ecmaScript
  }

  /// A number that has no nearest double, or a container that is nested too deeply.
  struct OutOfRange: Error {
    /// The index of the value's word.
    let index: Int
  }

  /// The layout of a text, besides its style.
  struct Layout {
    var escapesSlashes: Bool
    /// True for the layout of Foundation: there is a space before a colon, and an empty container has two lines.
    var isFoundations = false
    /// The number of containers around the value.
    var depth = 0
    var depthLimit = Int.max
  }

  /// The last piece written.
  private enum Position { case begin, key, value }

  private let document: Document
  private let style: JSON.OutputStyle
  private let numbers: Numbers
  private let output: OutputMemory
  /// The layout, whose depth is that of the current position.
  private var layout: Layout
  private var position = Position.key

  /// Appends the text of `json` to `output`.
  ///
  /// - Throws: ``OutOfRange`` for a number beyond the range of doubles, if `numbers` is `ecmaScript`, and for a container beyond the depth
  ///   limit of the layout.
  static func write(
    _ json: JSON, _ style: JSON.OutputStyle, order: Traversal.Order, numbers: Numbers = .asWritten,
    to output: OutputMemory, _ layout: Layout? = nil
  ) throws(OutOfRange) {
    var serializer = Serializer(
      document: json.document, style: style, numbers: numbers, output: output,
      layout: layout ?? Layout(escapesSlashes: output.style.escapesSlashes))
    var traversal = Traversal(json, order: order)
    while let event = traversal.next() { try serializer.write(event) }
  }

  private mutating func write(_ event: Traversal.Event) throws(OutOfRange) {
    switch event {
    case .key(let index):
      separate()
      output.append(stringAt: index, of: document, escapingSlashes: layout.escapesSlashes)
      let isPretty = if case .pretty = style { true } else { false }
      if isPretty, layout.isFoundations { output.append(.space) }
      output.append(.colon)
      if isPretty { output.append(.space) }
      position = .key
    case .scalar(let index):
      separate()
      try writeScalar(at: index)
      position = .value
    case .begin(let index):
      guard layout.depth < layout.depthLimit else { throw OutOfRange(index: index) }
      separate()
      output.append(document.tape[index].is(.object) ? .openBrace : .openBracket)
      layout.depth += 1
      position = .begin
    case .end(let isObject):
      if position == .begin, layout.isFoundations, case .pretty = style { output.append(.lineFeed) }
      layout.depth -= 1
      if position == .value || layout.isFoundations { breakLine() }
      output.append(isObject ? .closeBrace : .closeBracket)
      position = .value
    }
  }

  /// Writes the comma and the line break before a key or a value.
  private mutating func separate() {
    if position == .value { output.append(.comma) }
    if position != .key { breakLine() }
  }

  private mutating func breakLine() {
    guard case .pretty(let indent) = style else { return }
    output.append(.lineFeed)
    for _ in 0..<max(0, min(indent, 16)) * layout.depth { output.append(.space) }
  }

  private func writeScalar(at index: Int) throws(OutOfRange) {
    if case .ecmaScript = numbers, document.tape[index].isNumber {
      guard let double = document.double(at: index), double.isFinite else { throw OutOfRange(index: index) }
      return output.append(ecmaScript: double)
    }
    output.append(scalarAt: index, of: document, escapingSlashes: layout.escapesSlashes)
  }
}

extension OutputMemory {
  /// Appends the scalar at `index`. A number keeps the digits that it has in the document.
  func append(scalarAt index: Int, of document: Document, escapingSlashes: Bool) {
    let word = document.tape[index]
    switch word.kind {
    case .null: appendNull()
    case .true: append(bool: true)
    case .false: append(bool: false)
    case .string, .longString: append(stringAt: index, of: document, escapingSlashes: escapingSlashes)
    case .integer: append(Int64(word.integer), .nothing)
    default: document.bytes.withSpan(at: word.offset, length: document.numberLength(at: index)) { append($0) }
    }
  }

  func append(stringAt index: Int, of document: Document, escapingSlashes: Bool) {
    document.withString(at: index) { append(quoted: $0, escapingSlashes: escapingSlashes) }
  }
}

extension JSON {
  /// An error thrown for a value without a canonical form: it contains a number beyond the range of doubles.
  public struct CanonicalFormError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The location of the number in the document.
    public let pointer: Pointer

    /// The location and the reason, without the number.
    public var description: String { "the number at \"\(pointer)\" is beyond the range of doubles" }
  }

  /// Returns the canonical form of the value, in UTF-8, for hashing and signing. All values that are the same to ECMAScript have the
  /// same canonical form.
  ///
  /// Members are sorted by the UTF-16 code units of their keys. If several members share a key, only the first is written. There is no
  /// white space. Numbers are written as ECMAScript writes the nearest double, so digits beyond the precision of a double are lost:
  /// 9007199254740993 becomes 9007199254740992. To keep all digits, store numbers as strings, as RFC 8785 appendix D advises.
  ///
  /// - Throws: ``CanonicalFormError`` if a number is beyond the range of doubles.
  /// - Complexity: O(*n* log *m*), where *n* is the size of the value and *m* that of its largest object.
  /// - Source: RFC 8785.
  public func canonicalForm() throws(CanonicalFormError) -> [UInt8] {
    let output = OutputMemory(capacity: 256)
    defer { output.deallocate() }
    do throws(Serializer.OutOfRange) {
      try Serializer.write(self, .compact, order: .sortedFirst(.utf16), numbers: .ecmaScript, to: output)
      return output.bytes()
    } catch {
      throw CanonicalFormError(pointer: Pointer(JSON(document, at: error.index).stepsFromRoot))
    }
  }

  /// The layout of a JSON text.
  public enum OutputStyle: Hashable, Sendable {
    /// The text contains no white space.
    case compact
    /// Each member or element is on a separate line, indented by `indent` spaces (0 to 16) more than its container. Empty containers are on
    /// one line. Lines end in LF, except the last one.
    case pretty(indent: Int = 2)
  }

  /// The order in which an object's members are written.
  public enum OutputOrder: Hashable, Sendable {
    /// The order of the document.
    case document
    /// The order of the keys, which are compared by Unicode scalars. Members that share a key keep the order of the
    /// document.
    case sortedKeys
  }

  /// Returns the value as JSON text in UTF-8, as `Data`.
  ///
  /// Numbers are written as they were read, digit for digit. In strings only the characters that must be escaped are escaped: quotation
  /// mark, backslash and control characters. The text can be parsed again to an equal value, unless the value contains an infinity or NaN
  /// of a JSON5 text: they are written as `null`.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the value. With sorted keys O(*n* log *m*), where *m* is that of its largest object.
  /// - Source: RFC 8259.
  public func serializedData(_ style: OutputStyle = .compact, order: OutputOrder = .document) -> Data {
    withSerialized(style, order) { $0.takeData() }
  }

  /// Returns the value as JSON text in UTF-8.
  package func serialized(_ style: OutputStyle = .compact, order: OutputOrder = .document) -> [UInt8] {
    withSerialized(style, order) { $0.bytes() }
  }

  /// Returns the value as JSON text, as `String`. See ``serializedData(_:order:)``.
  public func serializedText(_ style: OutputStyle = .compact, order: OutputOrder = .document) -> String {
    withSerialized(style, order) { $0.string() }
  }

  private func withSerialized<Result>(
    _ style: OutputStyle, _ order: OutputOrder, _ body: (OutputMemory) -> Result
  ) -> Result {
    let output = OutputMemory(capacity: 256)
    defer { output.deallocate() }
    let order: Traversal.Order = order == .document ? .document : .sorted(.scalars)
    // Numbers can be out of range only if doubles are requested.
    try? Serializer.write(self, style, order: order, to: output)
    return body(output)
  }

  /// The value as compact JSON text, such as `{"id":1}`. Strings have quotation marks.
  public var description: String { serializedText() }
}

/// A depth-first walk over a value and everything in it. It uses an explicit stack, so the nesting depth is not limited.
struct Traversal {
  /// A position in the walk. Numbers are indices of tape words.
  enum Event {
    /// A member's key; its value is the next event.
    case key(Int)
    /// A value that is not a container.
    case scalar(Int)
    /// A container, whose members follow.
    case begin(Int)
    /// The end of the innermost container.
    case end(isObject: Bool)
  }

  /// The order in which the members of an object are visited.
  enum Order {
    case document
    /// The order of the keys. Members that share a key keep the order of the document.
    case sorted(KeyOrder)
    /// The order of the keys. Only the first of the members that share a key is visited.
    case sortedFirst(KeyOrder)
  }

  private struct Frame {
    var members: TapeMembers
    /// The remaining members of an object in another order than that of the document.
    var sorted: ArraySlice<Member>?

    mutating func next() -> Member? { sorted == nil ? members.next() : sorted?.popFirst() }
  }

  private let document: Document
  private let order: Order
  private var frames: [Frame] = []
  /// The value whose key was the last event; the root before the first event.
  private var pending: Int?

  init(_ json: JSON, order: Order) {
    document = json.document
    self.order = order
    pending = json.index
  }

  mutating func next() -> Event? {
    if let value = pending {
      pending = nil
      return enter(value)
    }
    guard let last = frames.indices.last else { return nil }
    guard let member = frames[last].next() else { return .end(isObject: frames.removeLast().members.isObject) }
    guard frames[last].members.isObject else { return enter(member.value) }
    pending = member.value
    return .key(member.key)
  }

  private mutating func enter(_ index: Int) -> Event {
    let word = document.tape[index]
    guard word.isContainer else { return .scalar(index) }
    let sorted = word.is(.object) ? sortedMembers(of: index) : nil
    frames.append(Frame(members: document.members(ofContainerAt: index), sorted: sorted?[...]))
    return .begin(index)
  }

  private func sortedMembers(of index: Int) -> [Member]? {
    switch order {
    case .document: nil
    case .sorted(let keys): document.sortedMembers(ofObjectAt: index, by: keys)
    case .sortedFirst(let keys): document.sortedFirstMembers(ofObjectAt: index, by: keys)
    }
  }
}
