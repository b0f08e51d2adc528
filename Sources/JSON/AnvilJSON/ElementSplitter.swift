package import AnvilBase

/// Splits a JSON array that arrives in chunks into its elements, holding at most one element and one chunk in memory.
///
///     splitter.append(chunk)
///     while let element = try splitter.next() { … }      // then the next chunk; after the last one:
///     _ = try splitter.finish()
///
/// The splitter reports errors outside the elements itself. Within the elements, it only looks for their ends, so the caller has to parse
/// each element. The whole text is JSON if and only if all elements are accepted. After an error the splitter must not be used.
///
/// The text must be UTF-8, with or without a byte-order mark. Other encodings are rejected.
package struct ElementSplitter {
  package struct Element: Sendable {
    /// The element's bytes, without the white space around them.
    package let bytes: Data
    /// The number of elements before this one.
    package let index: Int
  }

  private enum State {
    case beforeArray, inMark, beforeFirstElement, beforeElement, inNumber, inName, inStructure, behindElement,
      behindArray
  }

  private let sizeLimit: Int
  private let depthLimit: Int

  private var state = State.beforeArray
  private var scan = StructureScan(isString: false)
  /// The number of elements returned so far.
  private(set) var index = 0

  private(set) var chunk = Data()
  /// The offset of the next byte in the chunk.
  private(set) var at = 0
  /// The offset at which the element begins in the chunk; 0 if it began in an earlier one.
  private(set) var start = 0
  /// The part of the element from earlier chunks.
  private var pending = Data()
  /// The position in the text at which the chunk begins.
  private(set) var chunkPosition = TextPosition()
  /// The position in the text at which the element begins, if it began before the chunk.
  private(set) var pendingPosition: TextPosition?

  /// Creates a splitter at the beginning of a text.
  ///
  /// - Parameters:
  ///   - sizeLimit: the maximum number of bytes in an element.
  ///   - depthLimit: the maximum nesting depth of containers, including the array itself.
  package init(sizeLimit: Int, depthLimit: Int) {
    self.sizeLimit = sizeLimit
    self.depthLimit = max(0, depthLimit)
  }

  /// Adds the next bytes of the text. All earlier bytes must have been used: ``next()`` has returned `nil`.
  package mutating func append(_ chunk: Data) {
    assert(at == self.chunk.count)
    self.chunk = chunk
    at = 0
    start = 0
  }

  /// Returns the next element; `nil` if it does not end in the chunks so far, or if the array has ended.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with an underlying ``JSON/SyntaxError``, whose location refers to the whole text.
  package mutating func next() throws(DecodingError) -> Element? {
    do throws(JSON.SyntaxError) {
      return try findElement()
    } catch {
      throw decodingError(error)
    }
  }

  /// Ends the text. Always returns `nil`, because no element can be left.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with an underlying ``JSON/SyntaxError`` if the array has not ended.
  package func finish() throws(DecodingError) -> Element? {
    guard state != .behindArray else { return nil }
    let end = chunkPosition.error(.unexpectedEnd)
    throw decodingError(isInElement ? firstError(inUnfinished: pending) ?? end : end)
  }

  /// Returns true if the element is valid JSON. If it is invalid, the splitter may have found the wrong end of the element, and thus the
  /// wrong start of the next one.
  package func isJSON(_ element: Element) -> Bool {
    Self.firstError(in: element.bytes) == nil
  }

  /// Converts `error`, which a format has thrown for the latest element, to an error in the whole text.
  ///
  /// A `DecodingError` gets the element's index as the first key of its path, and an underlying ``JSON/SyntaxError`` gets its
  /// location in the whole text. Other errors are unchanged.
  package func locating(_ error: any Error, in element: Element) -> any Error {
    guard let error = error as? DecodingError else { return error }
    return error.inElement(element.index) { syntaxError in
      // A type may have decoded another text, which is not part of this one.
      Self.firstError(in: element.bytes) == syntaxError ? locating(syntaxError, in: element.bytes) : nil
    }
  }
}

extension ElementSplitter {
  var isInElement: Bool {
    switch state {
    case .inNumber, .inName, .inStructure: true
    default: false
    }
  }

  private mutating func findElement() throws(JSON.SyntaxError) -> Element? {
    let chunk = chunk
    let bytes = chunk.bytes
    let count = bytes.byteCount
    pendingPosition = isInElement ? pendingPosition : nil
    while at < count {
      switch state {
      case .inNumber:
        while at < count, bytes[at].canBeInNumber { at &+= 1 }
        if at < count { return try endElement() }
      case .inName:
        while at < count, bytes[at].canBeInName { at &+= 1 }
        if at < count { return try endElement() }
      case .inStructure:
        switch scan.advance(over: bytes, from: at, depthLimit: depthLimit - 1) {
        case .ended(let end):
          at = end
          return try endElement()
        case .tooDeep(let offset):
          at = offset
          if let error = firstError(inUnfinished: pending + chunk.slice(start..<at)), error.code != .unexpectedEnd {
            throw error
          }
          throw position(at: at).error(.tooDeep(limit: depthLimit))
        case .unended: at = count
        }
      default:
        let byte = bytes[at]
        if byte.isJSONWhitespace, state != .inMark {
          at &+= 1
        } else {
          try take(byte)
        }
      }
    }
    try endChunk()
    return nil
  }

  /// Processes a byte outside the elements that is not white space, or the first byte of an element.
  private mutating func take(_ byte: UInt8) throws(JSON.SyntaxError) {
    switch (state, byte) {
    case (.beforeArray, .openBracket):
      guard depthLimit > 0 else { throw position(at: at).error(.tooDeep(limit: depthLimit)) }
      state = .beforeFirstElement
    case (.beforeArray, 0xEF) where offset == 0: state = .inMark
    case (.inMark, 0xBB) where offset == 1: break
    case (.inMark, 0xBF) where offset == 2: state = .beforeArray
    case (.beforeArray, _), (.inMark, _): throw unexpected(byte, "an array")
    case (.beforeFirstElement, .closeBracket), (.behindElement, .closeBracket): state = .behindArray
    case (.behindElement, .comma): state = .beforeElement
    case (.behindElement, _): throw unexpected(byte, "',' or ']'")
    case (.behindArray, _): throw position(at: at).error(.trailingContent)
    case (_, .quote):
      begin(.inStructure)
      scan = StructureScan(isString: true)
    case (_, .openBracket), (_, .openBrace):
      begin(.inStructure)
      scan = StructureScan(isString: false)
      // The scan begins at the bracket.
      return
    case (_, .minus), (_, .digit0 ... .digit9): begin(.inNumber)
    case (_, UInt8(ascii: "t")), (_, UInt8(ascii: "f")), (_, UInt8(ascii: "n")): begin(.inName)
    default: throw unexpected(byte, "a value")
    }
    at &+= 1
  }

  private mutating func begin(_ state: State) {
    self.state = state
    start = at
  }

  /// Returns the element that ends before `at`.
  private mutating func endElement() throws(JSON.SyntaxError) -> Element {
    let end = chunk.slice(start..<at)
    guard pending.count <= sizeLimit, end.count <= sizeLimit - pending.count else {
      throw elementPosition.error(.tooLarge(limit: sizeLimit))
    }
    state = .behindElement
    defer { index += 1 }
    guard pendingPosition != nil else { return Element(bytes: end, index: index) }
    var bytes = Data()
    swap(&bytes, &pending)
    bytes.append(end)
    return Element(bytes: bytes, index: index)
  }

  /// Stores the part of an unfinished element at the end of the chunk, all of which has been read.
  private mutating func endChunk() throws(JSON.SyntaxError) {
    let chunk = chunk
    let bytes = chunk.bytes
    if isInElement {
      if pendingPosition == nil { pendingPosition = position(at: start) }
      guard pending.count <= sizeLimit, at - start <= sizeLimit - pending.count else {
        throw elementPosition.error(.tooLarge(limit: sizeLimit))
      }
      pending.append(chunk.slice(start..<at))
    }
    chunkPosition.advance(over: bytes, in: 0..<bytes.byteCount)
    self.chunk = Data()
    at = 0
    start = 0
  }
}

extension Data {
  /// Returns the bytes at the offsets of `range`, which are counted from the first byte and must exist.
  func slice(_ range: Range<Int>) -> Data {
    self[(startIndex + range.lowerBound)..<(startIndex + range.upperBound)]
  }
}

extension UInt8 {
  /// True if the byte is a digit, a sign, a point or an `e`.
  @inline(__always)
  var canBeInNumber: Bool {
    switch self {
    case .digit0 ... .digit9, .plus, .minus, .period, UInt8(ascii: "e"), UInt8(ascii: "E"): true
    default: false
    }
  }

  @inline(__always)
  fileprivate var canBeInName: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
}

/// Errors and their locations. They are computed only after parsing has failed.
extension ElementSplitter {
  func position(at offset: Int) -> TextPosition {
    var position = chunkPosition
    position.advance(over: chunk.bytes, in: 0..<offset)
    return position
  }

  /// The offset of the next byte in the whole text.
  var offset: Int { chunkPosition.offset + at }

  var elementPosition: TextPosition { pendingPosition ?? position(at: start) }

  func unexpected(_ byte: UInt8, _ expected: String) -> JSON.SyntaxError {
    // The first two characters of an array are ASCII, so a NUL among them, or half a byte-order mark, means UTF-16 or UTF-32.
    if (offset < 2 && byte == 0) || (offset == 0 && byte >= 0xFE) { return TextPosition().error(.invalidEncoding) }
    return position(at: at).error(.unexpectedByte(byte, expected: expected))
  }

  /// Returns the error in `bytes`, an incomplete element; `nil` if they may still become valid, such as an incomplete
  /// number.
  func firstError(inUnfinished bytes: Data) -> JSON.SyntaxError? {
    Self.firstError(in: bytes).map { locating($0, in: bytes) }
  }

  /// Returns the error that makes `bytes` invalid JSON; `nil` if they are valid.
  @inline(never)
  static func firstError(in bytes: Data) -> JSON.SyntaxError? {
    do throws(JSON.SyntaxError) {
      _ = try Document.parse(
        bytes.bytes, options: JSON.ParsingOptions(depthLimit: .max), for: .call, in: .utf8WithoutMark)
      return nil
    } catch {
      return error
    }
  }

  /// Converts `error`, which was found in the bytes of the element, to an error in the whole text.
  func locating(_ error: JSON.SyntaxError, in bytes: Data) -> JSON.SyntaxError {
    var error = error
    if error.code == .unexpectedEnd, at < chunk.count,
      let other = Self.firstError(in: bytes + chunk.slice(at..<(at + 1)))
    {
      // The next byte makes the unfinished name or number invalid.
      error = other
    }
    if error.code == .trailingContent, let byte = bytes.slice(error.offset..<bytes.count).first {
      error = JSON.SyntaxError(
        code: .unexpectedByte(byte, expected: "',' or ']'"), offset: error.offset, line: error.line,
        column: error.column)
    }
    return elementPosition.locating(error)
  }

  func decodingError(_ error: JSON.SyntaxError) -> DecodingError {
    let isOtherEncoding = error.code == .invalidEncoding && error.offset == 0
    return .dataCorrupted(
      DecodingError.Context(
        codingPath: isInElement ? [DecodingKey(intValue: index)] : [],
        debugDescription: isOtherEncoding
          ? "The text is not in UTF-8." : "The text is not a JSON array: \(error)",
        underlyingError: error))
  }
}

extension DecodingError {
  /// Returns the error with its path in an array. The error was thrown for the value of the element at `index`.
  ///
  /// - Parameter locate: Converts the location of an error in the element's text to the location in the array's text.
  ///   Returns `nil` for an error in another text.
  package func inElement(_ index: Int, locating locate: (JSON.SyntaxError) -> JSON.SyntaxError?) -> DecodingError {
    let path: [any CodingKey] = [DecodingKey(intValue: index)] + context.codingPath
    let located = (context.underlyingError as? JSON.SyntaxError).flatMap(locate)
    return with(
      Context(
        codingPath: path, debugDescription: located.map { "The text is not JSON: \($0)" } ?? context.debugDescription,
        underlyingError: located ?? context.underlyingError))
  }
}
