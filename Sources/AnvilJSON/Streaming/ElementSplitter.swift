#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Cuts a JSON array that comes in chunks into its elements, without holding more than one of them and a chunk.
///
///     splitter.append(chunk)
///     while let element = try splitter.next() { … }      // then the next chunk; after the last one:
///     _ = try splitter.finish()
///
/// Says itself what is wrong outside the elements; inside, it looks for their ends only, so that each has to be parsed. If
/// all are accepted, the whole text is JSON, and the other way round. After an error it must not be used.
///
/// The text is UTF-8, with or without a mark. Other encodings are refused.
package struct ElementSplitter {
  /// One element.
  package struct Element: Sendable {
    /// Its bytes, without the white space around them.
    package let bytes: Data
    /// How many stand before it.
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
  /// How many elements have been given.
  private(set) var index = 0

  private(set) var chunk = Data()
  /// The next byte of the chunk.
  private(set) var at = 0
  /// Where the element begins in the chunk; 0 when it began before.
  private(set) var start = 0
  /// The part of the element that came before the chunk.
  private var pending = Data()
  /// Where the chunk begins in the text.
  private(set) var chunkPosition = StreamPosition()
  /// Where the element begins in the text, if it began before the chunk.
  private(set) var pendingPosition: StreamPosition?

  /// A splitter that has seen nothing yet.
  ///
  /// - Parameters:
  ///   - sizeLimit: how many bytes an element may have.
  ///   - depthLimit: how many containers may stand in each other, the array itself among them.
  package init(sizeLimit: Int, depthLimit: Int) {
    self.sizeLimit = sizeLimit
    self.depthLimit = max(0, depthLimit)
  }

  /// Takes the text's next bytes; those before have been used up: ``next()`` has returned `nil`.
  package mutating func append(_ chunk: Data) {
    assert(at == self.chunk.count)
    self.chunk = chunk
    at = 0
    start = 0
  }

  /// The next element; `nil` when it does not end in what has been given.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with a ``JSON/SyntaxError`` beneath, whose place is that in the whole text.
  package mutating func next() throws(DecodingError) -> Element? {
    do throws(JSON.SyntaxError) {
      return try findElement()
    } catch {
      throw decodingError(error)
    }
  }

  /// Ends the text; there is no element left then.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with a ``JSON/SyntaxError`` beneath when the array has not ended.
  package func finish() throws(DecodingError) -> Element? {
    guard state != .behindArray else { return nil }
    let end = chunkPosition.error(.unexpectedEnd)
    throw decodingError(isInElement ? firstError(inUnfinished: pending) ?? end : end)
  }

  /// Whether an element is JSON, so that what its text holds ends where it does, whatever a format makes of it.
  package func isJSON(_ element: Element) -> Bool {
    Self.firstError(in: element.bytes) == nil
  }

  /// The error that `error`, thrown by a format for the element that was given last, is in the whole text.
  ///
  /// A `DecodingError` has the element's index as the first key of its path, and a ``JSON/SyntaxError`` beneath it the
  /// place that it has in the whole text. Others are as they were.
  package func locating(_ error: any Error, in element: Element) -> any Error {
    guard let error = error as? DecodingError else { return error }
    return error.inElement(element.index) { syntaxError in
      // A type may have decoded a text of its own, which is no part of this one.
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

  /// Goes on with a byte outside the elements that is no white space, or the first of one.
  private mutating func take(_ byte: UInt8) throws(JSON.SyntaxError) {
    switch (state, byte) {
    case (.beforeArray, 0x5B):
      guard depthLimit > 0 else { throw position(at: at).error(.tooDeep(limit: depthLimit)) }
      state = .beforeFirstElement
    case (.beforeArray, 0xEF) where offset == 0: state = .inMark
    case (.inMark, 0xBB) where offset == 1: break
    case (.inMark, 0xBF) where offset == 2: state = .beforeArray
    case (.beforeArray, _), (.inMark, _): throw unexpected(byte, "an array")
    case (.beforeFirstElement, 0x5D), (.behindElement, 0x5D): state = .behindArray
    case (.behindElement, 0x2C): state = .beforeElement
    case (.behindElement, _): throw unexpected(byte, "',' or ']'")
    case (.behindArray, _): throw position(at: at).error(.trailingContent)
    case (_, 0x22):
      begin(.inStructure)
      scan = StructureScan(isString: true)
    case (_, 0x5B), (_, 0x7B):
      begin(.inStructure)
      scan = StructureScan(isString: false)
      // The scan begins at the bracket.
      return
    case (_, 0x2D), (_, 0x30...0x39): begin(.inNumber)
    case (_, 0x74), (_, 0x66), (_, 0x6E): begin(.inName)
    default: throw unexpected(byte, "a value")
    }
    at &+= 1
  }

  private mutating func begin(_ state: State) {
    self.state = state
    start = at
  }

  /// The element that ends before `at`.
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

  /// Keeps of the chunk, which has been read, the element that has not ended.
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
  /// The bytes at the offsets of `range`, which are counted from the first and are there.
  func slice(_ range: Range<Int>) -> Data {
    self[(startIndex + range.lowerBound)..<(startIndex + range.upperBound)]
  }
}

extension UInt8 {
  @inline(__always)
  fileprivate var isJSONWhitespace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  /// Whether it is a digit, a sign, a point or an `e`.
  @inline(__always)
  fileprivate var canBeInNumber: Bool {
    switch self {
    case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x65, 0x45: true
    default: false
    }
  }

  @inline(__always)
  fileprivate var canBeInName: Bool { 0x61...0x7A ~= self }
}
