/// Writes a value as JSON text in UTF-8.
///
/// Strings are escaped as little as RFC 8259 §7 allows: quotation mark, backslash and control characters. Control characters use
/// the short form if there is one. RFC 8785 §3.2.2.2 requires the same. Slashes are escaped only in the text of an encoder.
struct Serializer {
  /// The format of numbers.
  enum Numbers {
    /// Numbers have the text of the document.
    case asWritten
    /// Numbers have the text that ECMAScript writes for the nearest double.
    case ecmaScript
  }

  /// A number that has no nearest double.
  struct OutOfRange: Error {
    /// The index of the number's word.
    let index: Int
  }

  /// The last piece written.
  private enum Position { case begin, key, value }

  private let document: Document
  private let style: JSON.OutputStyle
  private let numbers: Numbers
  private let output: OutputMemory
  private var position = Position.key
  private var depth = 0

  private init(_ document: Document, _ style: JSON.OutputStyle, _ numbers: Numbers, _ output: OutputMemory) {
    self.document = document
    self.style = style
    self.numbers = numbers
    self.output = output
  }

  /// Appends the text of `json` to `output`.
  ///
  /// - Throws: ``OutOfRange`` for a number beyond the range of doubles, if `numbers` is `ecmaScript`.
  static func write(
    _ json: JSON, _ style: JSON.OutputStyle, order: Traversal.Order, numbers: Numbers, to output: OutputMemory
  ) throws(OutOfRange) {
    var serializer = Serializer(json.document, style, numbers, output)
    var traversal = Traversal(json, order: order)
    while let event = traversal.next() { try serializer.write(event) }
  }

  private mutating func write(_ event: Traversal.Event) throws(OutOfRange) {
    switch event {
    case .key(let index):
      separate()
      writeString(at: index)
      output.append(0x3A)
      if case .pretty = style { output.append(0x20) }
      position = .key
    case .scalar(let index):
      separate()
      try writeScalar(at: index)
      position = .value
    case .begin(let index):
      separate()
      output.append(document.tape[index].is(.object) ? 0x7B : 0x5B)
      depth += 1
      position = .begin
    case .end(let isObject):
      depth -= 1
      if position == .value { breakLine() }
      output.append(isObject ? 0x7D : 0x5D)
      position = .value
    }
  }

  /// Writes the comma and the line break before a key or a value.
  private mutating func separate() {
    if position == .value { output.append(0x2C) }
    if position != .key { breakLine() }
  }

  private mutating func breakLine() {
    guard case .pretty(let indent) = style else { return }
    output.append(0x0A)
    for _ in 0..<max(0, min(indent, 16)) * depth { output.append(0x20) }
  }

  private func writeScalar(at index: Int) throws(OutOfRange) {
    if case .ecmaScript = numbers, document.tape[index].isNumber {
      guard let double = document.double(at: index), double.isFinite else { throw OutOfRange(index: index) }
      return output.append(ecmaScript: double)
    }
    output.append(scalarAt: index, of: document, escapingSlashes: output.style.escapesSlashes)
  }

  private func writeString(at index: Int) {
    output.append(stringAt: index, of: document, escapingSlashes: output.style.escapesSlashes)
  }
}

/// The output of parts of documents as text.
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

  /// Appends the string or key at `index`.
  func append(stringAt index: Int, of document: Document, escapingSlashes: Bool) {
    document.bytes.withSpan(at: document.tape[index].offset, length: document.stringLength(at: index)) {
      append(quoted: $0, escapingSlashes: escapingSlashes)
    }
  }
}
