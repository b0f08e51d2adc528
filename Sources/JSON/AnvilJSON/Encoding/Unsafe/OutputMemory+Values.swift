/// Operations of ``JSON/Writer``, which write values followed by a comma. Each is one call that is not inlined into other modules.
extension OutputMemory {
  @usableFromInline @inline(never)
  func write(_ value: Int64) {
    guard hasRoom(for: 32) else { return growAndWrite(value) }
    let tail = reservedTail(32)
    tail.store(0x2D as UInt8, at: 0)
    advance(tail.store(value.magnitude, at: value < 0 ? 1 : 0, .comma))
  }

  @inline(never)
  private func growAndWrite(_ value: Int64) { append(value, .comma) }

  @usableFromInline @inline(never)
  func write(_ value: UInt64) { append(magnitude: value, .comma) }

  @usableFromInline @inline(never)
  func write(large value: Int128) { append(integer: value, .comma) }

  @usableFromInline @inline(never)
  func write(large value: UInt128) { append(integer: value, .comma) }

  @usableFromInline @inline(never)
  func write(finite value: Double) { append(finite: value, .comma) }

  @usableFromInline @inline(never)
  func write(finite value: Float) { append(finite: value, .comma) }

  @usableFromInline @inline(never)
  func write(_ value: String) {
    guard !style.escapesSlashes else { return write(escapingSlashesOf: value) }
    append(quoted: value, escapingSlashes: false, .comma)
  }

  @inline(never)
  private func write(escapingSlashesOf value: String) {
    append(quoted: value, escapingSlashes: true, .comma)
  }

  @usableFromInline @inline(never)
  func write(_ value: Bool) {
    reserve(8)
    // "true,", "false,"
    put((value ? 0x2C_6575_7274 : 0x2C65_736C_6166 as UInt64).littleEndian, length: value ? 5 : 6)
  }

  @usableFromInline @inline(never)
  func writeNull() {
    reserve(8)
    put((0x2C_6C6C_756E as UInt64).littleEndian, length: 5)
  }

  /// Ends a container with `bracket` and a comma. The comma after the last element or member, if the container is not empty, is removed.
  @inline(__always)
  func close(_ bracket: UInt8) {
    guard hasRoom(for: 2) else { return growAndClose(bracket) }
    // A branch, because a conditional move would have to wait until the byte before it is written and read again.
    if _fastPath(count > 0 && self[count &- 1] == 0x2C) { truncate(to: count &- 1) }
    put((0x2C00 | UInt16(bracket)).littleEndian, length: 2)
  }

  @inline(never)
  private func growAndClose(_ bracket: UInt8) {
    reserve(2)
    close(bracket)
  }

  /// Writes `bytes` in base64, padded.
  ///
  /// Source: RFC 4648 §4.
  @inline(never)
  func write(base64 bytes: RawSpan) {
    append(0x22)
    var offset = 0
    while offset < bytes.byteCount {
      // Encodes in pieces, so that space is reserved once for many bytes.
      let end = min(offset &+ 3 &* 1024, bytes.byteCount)
      let tail = tail((end &- offset &+ 2) / 3 &* 4)
      var position = 0
      while offset < end {
        let available = end &- offset
        let first = UInt32(bytes.byte(at: offset)) &<< 16
        let second = available > 1 ? UInt32(bytes.byte(at: offset &+ 1)) &<< 8 : 0
        let third = available > 2 ? UInt32(bytes.byte(at: offset &+ 2)) : 0
        let group = first | second | third
        tail.store(Self.base64(group &>> 18), at: position)
        tail.store(Self.base64(group &>> 12), at: position &+ 1)
        tail.store(available > 1 ? Self.base64(group &>> 6) : 0x3D, at: position &+ 2)
        tail.store(available > 2 ? Self.base64(group) : 0x3D, at: position &+ 3)
        position &+= 4
        offset &+= 3
      }
      advance(position)
    }
    reserve(2)
    put((0x2C22 as UInt16).littleEndian, length: 2)
  }

  /// Returns the character for the lowest six bits of `bits`.
  @inline(__always)
  private static func base64(_ bits: UInt32) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: bits & 0x3F)
    return value < 26
      ? 0x41 &+ value : value < 52 ? 0x47 &+ value : value < 62 ? value &- 4 : value == 62 ? 0x2B : 0x2F
  }
}

extension RawSpan {
  @inline(__always)
  fileprivate func byte(at offset: Int) -> UInt8 {
    // Safety: a byte of any value is a `UInt8`; the offset is checked.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
