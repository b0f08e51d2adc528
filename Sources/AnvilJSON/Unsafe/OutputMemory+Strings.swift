/// Strings as JSON writes them: quotation mark, backslash, control characters and, where wanted, the slash escaped.
///
/// Source: RFC 8259 §7. The short forms are used where there are any, and lower-case digits elsewhere, as Foundation does.
extension OutputMemory {
  /// Appends `text` in quotation marks.
  @inline(__always)
  func append(quoted text: String, escapingSlashes: Bool) {
    text.withUTF8Span { append(quoted: $0, escapingSlashes: escapingSlashes) }
  }

  /// Appends `text`, which is UTF-8, in quotation marks.
  @inline(__always)
  func append(quoted text: Span<UInt8>, escapingSlashes: Bool) {
    let end = text.count
    reserve(end &+ 2)
    put(0x22 as UInt8, length: 1)
    // A vector of quotation marks finds nothing that is not found already.
    let slash = ByteVector(repeating: escapingSlashes ? 0x2F : 0x22)
    var next = 0
    while next < end {
      let available = end &- next
      let bytes = text.vector(at: next)
      let lane = (bytes.stringSpecials .| (bytes .== slash)).firstSetLane
      if lane >= 16 || lane >= available {
        put(bytes, length: min(available, 16))
        next &+= 16
      } else {
        put(bytes, length: lane)
        appendEscape(of: bytes[lane & 15])
        next &+= lane &+ 1
        reserve(end &- next &+ 2)
      }
    }
    put(0x22 as UInt8, length: 1)
  }

  /// Appends what stands for `byte`, at most six bytes, for which there is room in the slack.
  @inline(never)
  private func appendEscape(of byte: UInt8) {
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
    put(0x5C as UInt8, length: 1)
    guard short == 0 else { return put(short, length: 1) }
    let low = byte & 0xF
    put((0x3030_3075 as UInt32).littleEndian, length: 3)
    put(0x30 | byte &>> 4, length: 1)
    put(low < 10 ? 0x30 | low : 0x57 + low, length: 1)
  }
}

extension Span<UInt8> {
  /// The sixteen bytes from `offset` on; those behind the end are zero.
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
