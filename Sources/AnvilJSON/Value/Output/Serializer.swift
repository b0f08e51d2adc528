/// Writes a value as JSON text in UTF-8.
///
/// Strings are escaped as little as RFC 8259 §7 allows: quotation mark, backslash and control characters, these by their
/// short form where there is one. That is also what RFC 8785 §3.2.2.2 prescribes.
struct Serializer {
  /// How numbers are written.
  enum Numbers {
    /// As in the document.
    case asWritten
    /// As ECMAScript writes the nearest double.
    case ecmaScript
  }

  /// A number that has no nearest double.
  struct OutOfRange: Error {
    /// The index of the number's word.
    let index: Int
  }

  /// What the last piece written was.
  private enum Position { case begin, key, value }

  private let document: Document
  private let style: JSON.OutputStyle
  private let numbers: Numbers
  private var output: [UInt8] = []
  private var position = Position.key
  private var depth = 0

  private init(_ document: Document, _ style: JSON.OutputStyle, _ numbers: Numbers) {
    self.document = document
    self.style = style
    self.numbers = numbers
  }

  /// The text of `json`.
  ///
  /// - Throws: ``OutOfRange``, when `numbers` are to be ECMAScript's.
  static func serialize(
    _ json: JSON, _ style: JSON.OutputStyle, order: Traversal.Order, numbers: Numbers
  ) throws(OutOfRange) -> [UInt8] {
    var serializer = Serializer(json.document, style, numbers)
    var traversal = Traversal(json, order: order)
    while let event = traversal.next() { try serializer.write(event) }
    return serializer.output
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

  /// What stands before a key or a value.
  private mutating func separate() {
    if position == .value { output.append(0x2C) }
    if position != .key { breakLine() }
  }

  private mutating func breakLine() {
    guard case .pretty(let indent) = style else { return }
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: max(0, min(indent, 16)) * depth))
  }

  private mutating func writeScalar(at index: Int) throws(OutOfRange) {
    let word = document.tape[index]
    switch word.kind {
    case .null: output += "null".utf8
    case .true: output += "true".utf8
    case .false: output += "false".utf8
    case .string, .longString: writeString(at: index)
    default:
      if case .ecmaScript = numbers {
        guard let double = document.double(at: index) else { throw OutOfRange(index: index) }
        ECMAScriptNumber.append(double, to: &output)
      } else if word.is(.integer) {
        output += String(word.integer).utf8
      } else {
        document.appendBytes(at: word.offset, length: document.numberLength(at: index), to: &output)
      }
    }
  }

  private mutating func writeString(at index: Int) {
    output.append(0x22)
    var start = document.tape[index].offset
    let end = start + document.stringLength(at: index)
    while start < end {
      let special = document.bytes.firstStringSpecial(from: start, to: end)
      document.appendBytes(at: start, length: special - start, to: &output)
      if special < end { writeEscape(of: document.bytes[special]) }
      start = special + 1
    }
    output.append(0x22)
  }

  private mutating func writeEscape(of byte: UInt8) {
    output.append(0x5C)
    switch byte {
    case 0x22, 0x5C: output.append(byte)
    case 0x08: output.append(0x62)
    case 0x09: output.append(0x74)
    case 0x0A: output.append(0x6E)
    case 0x0C: output.append(0x66)
    case 0x0D: output.append(0x72)
    default:
      let low = byte & 0xF
      output += [0x75, 0x30, 0x30, 0x30 | byte &>> 4, low < 10 ? 0x30 | low : 0x57 + low]
    }
  }
}

extension PaddedBytes {
  /// The offset of the first byte from `start` on that a string's text must escape; `end` when there is none before it.
  fileprivate func firstStringSpecial(from start: Int, to end: Int) -> Int {
    var next = start
    // The padding makes the load at the end safe.
    while next < end {
      let lane = load(ByteVector.self, at: next).stringSpecials.firstSetLane
      next += lane
      if lane < 16 { break }
    }
    return min(next, end)
  }
}
