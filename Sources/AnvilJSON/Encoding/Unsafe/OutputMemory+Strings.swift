/// Writing of JSON strings. Quotation mark, backslash, control characters and, optionally, the slash are escaped.
///
/// Source: RFC 8259 §7. Short escapes are used if they exist, otherwise lower-case hexadecimal digits, as Foundation does.
extension OutputMemory {
  /// Appends `text` in quotation marks.
  @inline(__always)
  func append(quoted text: String, escapingSlashes: Bool, _ ending: Ending = .nothing) {
    text.withUTF8Span { append(quoted: $0, escapingSlashes: escapingSlashes, ending) }
  }

  /// Appends `text`, which is UTF-8, in quotation marks.
  @inline(__always)
  func append(quoted text: Span<UInt8>, escapingSlashes: Bool, _ ending: Ending = .nothing) {
    let end = text.count
    // Without slashes, the vector contains quotation marks, which are found in any case.
    let slash = ByteVector(repeating: escapingSlashes ? 0x2F : 0x22)
    var tail = tail(end &+ 3)
    tail.store(0x22 as UInt8, at: 0)
    var next = 0
    var position = 1
    while next < end {
      // Most texts need no escapes: whole vectors are copied, and the last sixteen bytes partly for the second time.
      while end &- next >= 16 {
        let bytes = text.vector(at: next)
        if (bytes.stringSpecials .| (bytes .== slash)).hasSetLane { break }
        tail.store(bytes, at: position)
        next &+= 16
        position &+= 16
      }
      let available = end &- next
      if available < 16, end >= 16 {
        if available == 0 { break }
        let bytes = text.vector(at: end &- 16)
        if !(bytes.stringSpecials .| (bytes .== slash)).hasSetLane {
          tail.store(bytes, at: position &+ available &- 16)
          position &+= available
          break
        }
      }
      let bytes = text.vector(at: next)
      tail.store(bytes, at: position)
      let lane = (bytes.stringSpecials .| (bytes .== slash)).firstSetLane
      if lane >= available {
        position &+= available
        break
      }
      if lane < 16 {
        advance(tail.store(escapeOf: bytes[lane & 15], at: position &+ lane))
        next &+= lane &+ 1
        position = 0
        tail = self.tail(end &- next &+ 3)
      }
    }
    // The quotation mark, and a comma that may or may not become part of the text.
    tail.store((0x2C22 as UInt16).littleEndian, at: position)
    advance(position &+ 1 &+ Int(ending.rawValue))
  }
}

extension OutputMemory.Tail {
  /// Stores the escape of `byte`, at most six bytes.
  ///
  /// - Returns: the offset after it.
  @inline(never)
  fileprivate func store(escapeOf byte: UInt8, at offset: Int) -> Int {
    let short: UInt8 =
      switch byte {
      case 0x22, 0x2F, 0x5C: byte
      case 0x08: 0x62
      case 0x09: 0x74
      case 0x0A: 0x6E
      case 0x0C: 0x66
      case 0x0D: 0x72
      default: 0
      }
    store(0x5C as UInt8, at: offset)
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
  /// Returns the sixteen bytes from `offset` on. Bytes after the end are zero.
  @inline(__always)
  fileprivate func vector(at offset: Int) -> ByteVector {
    let available = count &- offset
    assert(offset >= 0 && available > 0)
    // Safety: every load ends at the end of the span at the latest; the loads of words overlap where fewer are left.
    return unsafe withUnsafeBytes { bytes in
      if available >= 16 { return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: ByteVector.self) }
      var words = SIMD2<UInt64>()
      if available >= 8 {
        words.x = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
        let last = unsafe bytes.loadUnaligned(fromByteOffset: offset &+ available &- 8, as: UInt64.self).littleEndian
        // Shifted by all its bits, the word is zero: there are exactly eight bytes.
        words.y = last >> UInt64(truncatingIfNeeded: (16 &- available) &* 8)
      } else if available >= 4 {
        let first = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
        let last = unsafe bytes.loadUnaligned(fromByteOffset: offset &+ available &- 4, as: UInt32.self).littleEndian
        words.x = UInt64(first) | UInt64(last) << UInt64(truncatingIfNeeded: (available &- 4) &* 8)
      } else {
        let middle = available &>> 1
        words.x = unsafe UInt64(bytes[offset])
        words.x |= unsafe UInt64(bytes[offset &+ middle]) &<< UInt64(truncatingIfNeeded: middle &* 8)
        words.x |= unsafe UInt64(bytes[offset &+ available &- 1]) &<< UInt64(truncatingIfNeeded: (available &- 1) &* 8)
      }
      words.x = words.x.littleEndian
      words.y = words.y.littleEndian
      return unsafe unsafeBitCast(words, to: ByteVector.self)
    }
  }
}
