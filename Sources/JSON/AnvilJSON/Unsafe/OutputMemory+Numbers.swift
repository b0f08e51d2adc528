internal import AnvilBase
internal import CAnvilVectors

extension OutputMemory {
  /// The text after a value.
  enum Ending: UInt8 {
    case nothing = 0
    case comma = 1
  }

  /// The rules for the exponent of floating-point numbers.
  enum FloatingFormat {
    /// The format of Foundation. It has an exponent from 2⁵³ on (for `Float` from 2²⁴ on) and below 10⁻⁴, with at least
    /// two digits.
    case foundation
    /// The format of ECMAScript. It has an exponent from 10²¹ on and below 10⁻⁶. Source: ECMA-262, Number::toString.
    case ecmaScript
  }

  @inline(__always)
  func append<Value: FixedWidthInteger>(integer value: Value, _ ending: Ending = .nothing) {
    // Every type but the 128-bit ones fits.
    if let small = Int64(exactly: value) {
      append(small, ending)
    } else if let large = UInt64(exactly: value) {
      append(magnitude: large, ending)
    } else {
      String(value).withUTF8Span { append($0) }
      if ending == .comma { append(.comma) }
    }
  }

  @inline(never)
  func append(_ value: Int64, _ ending: Ending) {
    let tail = tail(32)
    tail.store(UInt8.minus, at: 0)
    let sign = value < 0 ? 1 : 0
    advance(tail.store(value.magnitude, at: sign, ending))
  }

  @inline(never)
  func append(magnitude value: UInt64, _ ending: Ending = .nothing) {
    let tail = tail(32)
    advance(tail.store(value, at: 0, ending))
  }

  /// Appends the shortest text that reads as the same double as `value`, in Foundation's format. `value` must be
  /// finite.
  @inline(never)
  func append(finite value: Double, _ ending: Ending = .nothing) {
    let magnitude = value.magnitude
    let tail = tail(48)
    tail.store(UInt8.minus, at: 0)
    let sign = value.sign == .minus ? 1 : 0
    if magnitude <= 0x1p53 {
      // Whole numbers have no fraction: minus zero is `-0`.
      let whole = Int64(magnitude)
      if Double(whole) == magnitude { return advance(tail.store(UInt64(whole), at: sign, ending)) }
    }
    let digits = DecimalDigits(ShortestDecimal(magnitude))
    let hasExponent = digits.point < -3 || magnitude > 0x1p53
    advance(tail.store(digits, at: sign, hasExponent: hasExponent, .foundation, ending))
  }

  /// Appends the shortest text that reads as the same float as `value`, in Foundation's format. `value` must be finite.
  @inline(never)
  func append(finite value: Float, _ ending: Ending = .nothing) {
    let magnitude = value.magnitude
    let tail = tail(48)
    tail.store(UInt8.minus, at: 0)
    let sign = value.sign == .minus ? 1 : 0
    if magnitude <= 0x1p24 {
      let whole = Int64(magnitude)
      if Float(whole) == magnitude { return advance(tail.store(UInt64(whole), at: sign, ending)) }
    }
    let digits = DecimalDigits(ShortestDecimal(magnitude))
    let hasExponent = digits.point < -3 || magnitude > 0x1p24
    advance(tail.store(digits, at: sign, hasExponent: hasExponent, .foundation, ending))
  }

  /// Appends `value`, which must be finite, in the format of ECMAScript. It has the same digits as Foundation's format, but whole numbers
  /// below 10²¹ are written in full. Minus zero is `0`.
  ///
  /// Source: ECMA-262, Number::toString; RFC 8785 §3.2.2.3.
  @inline(never)
  func append(ecmaScript value: Double) {
    guard value != 0 else { return append(.digit0) }
    let tail = tail(48)
    tail.store(UInt8.minus, at: 0)
    let digits = DecimalDigits(ShortestDecimal(value.magnitude))
    let hasExponent = digits.point < -5 || digits.point > 21
    advance(tail.store(digits, at: value < 0 ? 1 : 0, hasExponent: hasExponent, .ecmaScript, .nothing))
  }
}

/// Storing of numbers. Each function may store up to 32 bytes beyond the end that it returns.
extension OutputMemory.Tail {
  /// Stores the digits of `value`, followed by `ending`.
  ///
  /// - Returns: The offset after them.
  @inline(__always)
  func store(_ value: UInt64, at offset: Int, _ ending: OutputMemory.Ending) -> Int {
    var end = offset
    if value < 10 {
      store(UInt8(truncatingIfNeeded: value) | 0x30, at: end)
      end &+= 1
    } else {
      end = storeDigits(value, at: offset)
    }
    return close(end, ending)
  }

  @inline(__always)
  private func storeDigits(_ value: UInt64, at offset: Int) -> Int {
    guard value >= 100_000_000 else { return storeWithoutZeros(value, at: offset) }
    let upper = value / 100_000_000
    let trailing = DigitWord(value &- upper &* 100_000_000).ascii
    var end: Int
    if upper < 10 {
      store(UInt8(truncatingIfNeeded: upper) | 0x30, at: offset)
      end = offset &+ 1
    } else if upper < 100_000_000 {
      end = storeWithoutZeros(upper, at: offset)
    } else {
      let top = upper / 100_000_000
      end = storeWithoutZeros(top, at: offset)
      store(DigitWord(upper &- top &* 100_000_000).ascii, at: end)
      end &+= 8
    }
    store(trailing, at: end)
    return end &+ 8
  }

  @inline(__always)
  private func storeWithoutZeros(_ value: UInt64, at offset: Int) -> Int {
    let word = DigitWord(value)
    let zeros = word.leadingZeros
    store(word.ascii(droppingFirst: zeros), at: offset)
    return offset &+ 8 &- zeros
  }

  /// Stores a number with these digits, followed by `ending`.
  ///
  /// - Returns: The offset after them.
  @inline(__always)
  func store(
    _ number: DecimalDigits, at offset: Int, hasExponent: Bool, _ format: OutputMemory.FloatingFormat,
    _ ending: OutputMemory.Ending
  ) -> Int {
    let point = number.point
    if hasExponent { return close(storeExponential(number, at: offset, format), ending) }
    if point <= 0 {
      // 0.00000ddd
      store((0x3030_3030_3030_2E30 as UInt64).littleEndian, at: offset)
      storeDigits(of: number, at: offset &+ 2 &- point)
      return close(offset &+ 2 &- point &+ number.count, ending)
    }
    storeDigits(of: number, at: offset)
    if point >= number.count {
      // The trailing zeros are stored digits, up to the seventeenth.
      store((0x3030_3030 as UInt32).littleEndian, at: offset &+ 17)
      return close(offset &+ point, ending)
    }
    // From the third byte on, digits before the point keep their position, and digits after it move by one byte.
    store(anvil_digits_around_point(number.others, Int32(truncatingIfNeeded: point)), at: offset &+ 2)
    store(UInt8.period, at: offset &+ point)
    return close(offset &+ number.count &+ 1, ending)
  }

  @inline(__always)
  private func storeDigits(of number: DecimalDigits, at offset: Int) {
    store(number.first, at: offset)
    store(number.others, at: offset &+ 1)
  }

  /// Stores a number in the form `d.ddde±dd`.
  @inline(never)
  private func storeExponential(
    _ number: DecimalDigits, at offset: Int, _ format: OutputMemory.FloatingFormat
  ) -> Int {
    storeDigits(of: number, at: offset &+ 1)
    store(number.first, at: offset)
    store(UInt8.period, at: offset &+ 1)
    var end = offset &+ (number.count == 1 ? 1 : number.count &+ 1)
    let exponent = number.point &- 1
    store(UInt8(ascii: "e"), at: end)
    store((exponent < 0 ? .minus : .plus) as UInt8, at: end &+ 1)
    end &+= 2
    let magnitude = UInt64(truncatingIfNeeded: exponent.magnitude)
    if magnitude < 10, format == .foundation {
      store(UInt8.digit0, at: end)
      end &+= 1
    }
    return store(magnitude, at: end, .nothing)
  }

  @inline(__always)
  private func close(_ end: Int, _ ending: OutputMemory.Ending) -> Int {
    store(UInt8.comma, at: end)
    return end &+ Int(ending.rawValue)
  }
}

/// Operations of ``JSON/Writer``, which write values followed by a comma. Each is one call that is not inlined into other modules.
extension OutputMemory {
  @usableFromInline @inline(never)
  func write(_ value: Int64) {
    guard hasRoom(for: 32) else { return growAndWrite(value) }
    let tail = reservedTail(32)
    tail.store(UInt8.minus, at: 0)
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
    if _fastPath(count > 0 && self[count &- 1] == .comma) { truncate(to: count &- 1) }
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
    append(.quote)
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
        tail.store(available > 1 ? Self.base64(group &>> 6) : .equalsSign, at: position &+ 2)
        tail.store(available > 2 ? Self.base64(group) : .equalsSign, at: position &+ 3)
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
      ? UInt8(ascii: "A") &+ value : value < 52 ? 0x47 &+ value : value < 62 ? value &- 4 : value == 62 ? .plus : .slash
  }
}

extension RawSpan {
  @inline(__always)
  fileprivate func byte(at offset: Int) -> UInt8 {
    // Safety: a byte of any value is a `UInt8`; the offset is checked.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
