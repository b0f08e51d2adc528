internal import AnvilBase
internal import CAnvilVectors

/// Writing of JSON strings. Quotation mark, backslash, control characters and, optionally, the slash are escaped.
///
/// Source: RFC 8259 §7. Short escapes are used if they exist, otherwise lower-case hexadecimal digits, as Foundation does.
extension OutputMemory {
  @inline(__always)
  func append(quoted text: String, escapingSlashes: Bool, _ ending: Ending = .nothing) {
    text.withUTF8Span { append(quoted: $0, escapingSlashes: escapingSlashes, ending) }
  }

  /// Appends `text`, which is UTF-8, in quotation marks.
  @inline(__always)
  func append(quoted text: Span<UInt8>, escapingSlashes: Bool, _ ending: Ending = .nothing) {
    let end = text.count
    // Without slashes, the vector contains quotation marks, which are found in any case.
    let slash: UInt8 = escapingSlashes ? .slash : .quote
    let tail = tail(end &+ 3)
    tail.store(UInt8.quote, at: 0)
    var next = 0
    // Most texts need no escapes: whole vectors are copied, and the last sixteen bytes partly for the second time.
    while end &- next >= 16 {
      let bytes = text.vector(at: next)
      guard anvil_find_escaped_lanes(bytes, slash) == 0 else {
        return append(text, from: next, escapingAlso: slash, ending)
      }
      tail.store(bytes, at: next &+ 1)
      next &+= 16
    }
    if next < end {
      let bytes: ByteVector
      var lanes: UInt32
      if end >= 16 {
        bytes = text.vector(at: end &- 16)
        lanes = anvil_find_escaped_lanes(bytes, slash)
        tail.store(bytes, at: end &- 15)
      } else {
        bytes = text.shortVector()
        lanes = anvil_find_escaped_lanes(bytes, slash) & ((1 &<< UInt32(truncatingIfNeeded: end)) &- 1)
        tail.store(bytes, at: 1)
      }
      guard lanes == 0 else { return append(text, from: next, escapingAlso: slash, ending) }
    }
    // The quotation mark, and a comma that may or may not become part of the text.
    tail.store((0x2C22 as UInt16).littleEndian, at: end &+ 1)
    advance(end &+ 2 &+ Int(ending.rawValue))
  }

  /// Appends the rest of `text`, from `start` on, with escapes, and the closing quotation mark. The opening quotation mark and the bytes
  /// before `start` are already in the memory, but its count does not include them yet.
  ///
  /// - Parameter slash: A slash if slashes must be escaped, otherwise a quotation mark.
  @inline(never)
  private func append(_ text: Span<UInt8>, from start: Int, escapingAlso slash: UInt8, _ ending: Ending) {
    let end = text.count
    advance(start &+ 1)
    var next = start
    while next < end {
      let block = min(next &+ 16, end)
      // Sixteen bytes from each of the block's bytes on.
      let isFarFromEnd = end &- next >= 32
      // If all of them are escaped, each takes six bytes.
      let tail = tail(96)
      let bytes = isFarFromEnd ? text.vector(at: next) : text.partialVector(at: next)
      var lanes = anvil_find_escaped_lanes(bytes, slash)
      lanes &= (1 &<< UInt32(truncatingIfNeeded: block &- next)) &- 1
      tail.store(bytes, at: 0)
      var position = 0
      while lanes != 0 {
        let plain = lanes.trailingZeroBitCount
        lanes &>>= UInt32(truncatingIfNeeded: plain &+ 1)
        next &+= plain &+ 1
        position = tail.store(escapeOf: text.byte(at: next &- 1), at: position &+ plain)
        if isFarFromEnd {
          tail.store(text.vector(at: next), at: position)
        } else if next < block {
          tail.store(text.partialVector(at: next), at: position)
        }
      }
      advance(position &+ block &- next)
      next = block
    }
    reserve(2)
    put((0x2C22 as UInt16).littleEndian, length: 1 &+ Int(ending.rawValue))
  }
}

extension OutputMemory.Tail {
  /// Stores the escape of `byte`, at most six bytes.
  ///
  /// - Returns: The offset after it.
  @inline(__always)
  fileprivate func store(escapeOf byte: UInt8, at offset: Int) -> Int {
    // Quotation mark, slash and backslash.
    guard byte >= .space else { return store(escapeOfControl: byte, at: offset) }
    store((0x5C | UInt16(byte) &<< 8).littleEndian, at: offset)
    return offset &+ 2
  }

  @inline(never)
  private func store(escapeOfControl byte: UInt8, at offset: Int) -> Int {
    let short: UInt8 =
      switch byte {
      case .backspace: UInt8(ascii: "b")
      case .tab: UInt8(ascii: "t")
      case .lineFeed: UInt8(ascii: "n")
      case .formFeed: UInt8(ascii: "f")
      case .carriageReturn: UInt8(ascii: "r")
      default: 0
      }
    store(UInt8.backslash, at: offset)
    guard short == 0 else {
      store(short, at: offset &+ 1)
      return offset &+ 2
    }
    let low = byte & 0xF
    store((0x3030_3075 as UInt32).littleEndian, at: offset &+ 1)
    store(0x30 | byte &>> 4, at: offset &+ 4)
    store(low < 10 ? 0x30 | low : 0x57 + low, at: offset &+ 5)
    return offset &+ 6
  }
}

extension Span<UInt8> {
  /// Returns the sixteen bytes from `offset` on, which must exist.
  @inline(__always)
  fileprivate func vector(at offset: Int) -> ByteVector {
    assert(offset >= 0 && offset &+ 16 <= count)
    // Safety: the bytes are inside as asserted, and any bytes are a vector.
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: ByteVector.self)
  }

  /// Returns the byte at `offset`, which must exist.
  @inline(__always)
  fileprivate func byte(at offset: Int) -> UInt8 {
    assert(offset >= 0 && offset < count)
    // Safety: as above.
    return unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// Returns the bytes from `offset` on, at most sixteen, followed by zeros.
  @inline(__always)
  fileprivate func partialVector(at offset: Int) -> ByteVector {
    count &- offset >= 16 ? vector(at: offset) : extracting(offset..<count).shortVector()
  }

  /// Returns all bytes of the span, followed by zeros. The span must have 1 to 15 bytes.
  @inline(__always)
  fileprivate func shortVector() -> ByteVector {
    let count = count
    assert(count > 0 && count < 16)
    // Safety: every load ends at the end of the span at the latest; the loads of words overlap where fewer are left.
    return unsafe withUnsafeBytes { bytes in
      var words = SIMD2<UInt64>()
      if count >= 8 {
        words.x = unsafe bytes.loadUnaligned(as: UInt64.self).littleEndian
        let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
        // Shifted by all its bits, the word is zero: there are exactly eight bytes.
        words.y = last >> UInt64(truncatingIfNeeded: (16 &- count) &* 8)
      } else if count >= 4 {
        let first = unsafe bytes.loadUnaligned(as: UInt32.self).littleEndian
        let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self).littleEndian
        words.x = UInt64(first) | UInt64(last) &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8)
      } else {
        let middle = count &>> 1
        words.x = unsafe UInt64(bytes[0])
        words.x |= unsafe UInt64(bytes[middle]) &<< UInt64(truncatingIfNeeded: middle &* 8)
        words.x |= unsafe UInt64(bytes[count &- 1]) &<< UInt64(truncatingIfNeeded: (count &- 1) &* 8)
      }
      words.x = words.x.littleEndian
      words.y = words.y.littleEndian
      return unsafe unsafeBitCast(words, to: ByteVector.self)
    }
  }
}
