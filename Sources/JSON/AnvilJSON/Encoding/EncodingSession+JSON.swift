extension JSON: DirectlyEncodable {
  func encode(by session: EncodingSession, at identity: Int) throws { try session.write(self) }
  static func encode(elements: [JSON], by session: EncodingSession, in identity: Int) throws {
    for element in elements { try session.encodeElement(direct: element, in: identity) }
  }
}

/// Writing values of documents.
extension EncodingSession {
  /// Writes `json` into the innermost ``ValueSlot`` with the session's layout. Its keys and the digits of its numbers are not changed. If the
  /// slot has an object that is open, the members of `json` become members of that object.
  ///
  /// - Throws: `EncodingError` if the slot already has another value, or for containers nested too deeply.
  func write(_ json: JSON) throws {
    if slots[slots.top].kind == .object, json.kind == .object {
      let identity = slots[slots.top].identity
      for (key, value) in json.members {
        try encodeMember(value, named: key, EncodingKey(stringValue: key), in: identity)
      }
      return
    }
    let depth = slots[slots.top].depth
    let start = output.count
    try claimScalar()
    var writer = EmbeddedText(json.document, self, depth: depth)
    var traversal = Traversal(json, order: sortsKeys ? .sorted(.scalars) : .document)
    while let event = traversal.next() {
      guard writer.write(event) else {
        output.truncate(to: start)
        slots[slots.top].kind = .nothing
        throw EncodingError.invalidValue(
          json,
          .init(
            codingPath: codingPath(of: slots[slots.top].identity),
            debugDescription: "More than \(Self.maximumDepth) nested containers."))
      }
    }
  }
}

/// Writes the text of a value of a document into the text of a session.
private struct EmbeddedText {
  private let document: Document
  private let session: EncodingSession
  private let output: OutputMemory
  private var depth: Int
  private var isFirst = true
  private var followsKey = true

  init(_ document: Document, _ session: EncodingSession, depth: Int) {
    self.document = document
    self.session = session
    self.depth = depth
    output = session.output
  }

  /// Writes the part of the value that `event` represents. Returns false without writing anything if a container is nested too deeply.
  mutating func write(_ event: Traversal.Event) -> Bool {
    switch event {
    case .key(let index):
      separate()
      output.append(stringAt: index, of: document, escapingSlashes: session.escapesSlashes)
      if session.isPretty { output.append(0x20) }
      output.append(0x3A)
      if session.isPretty { output.append(0x20) }
      followsKey = true
    case .scalar(let index):
      separate()
      output.append(scalarAt: index, of: document, escapingSlashes: session.escapesSlashes)
    case .begin(let index):
      guard depth < EncodingSession.maximumDepth else { return false }
      separate()
      output.append(document.tape[index].is(.object) ? 0x7B : 0x5B)
      depth += 1
      isFirst = true
    case .end(let isObject):
      depth -= 1
      if session.isPretty {
        // Foundation's layout of an empty container.
        if isFirst { output.append(0x0A) }
        session.breakLine(depth: depth)
      }
      output.append(isObject ? 0x7D : 0x5D)
      isFirst = false
    }
    return true
  }

  /// Appends the separator before a key, an element, or the value of a key.
  private mutating func separate() {
    defer { (isFirst, followsKey) = (false, false) }
    guard !followsKey else { return }
    if !isFirst { output.append(0x2C) }
    if session.isPretty { session.breakLine(depth: depth) }
  }
}
