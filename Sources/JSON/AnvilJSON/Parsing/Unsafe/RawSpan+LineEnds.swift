/// Counting in texts of any length, sixteen bytes at a time.
extension RawSpan {
  /// Returns the number of line ends in the range: LF, CR LF or CR.
  func countOfLineEnds(in range: Range<Int>) -> Int {
    let feeds = count(in: range, vectors: { $0 .== ByteVector(repeating: 0x0A) }, bytes: { $0 == 0x0A })
    let returns = count(in: range, vectors: { $0 .== ByteVector(repeating: 0x0D) }, bytes: { $0 == 0x0D })
    guard returns > 0, feeds > 0 else { return feeds &+ returns }
    var pairs = 0
    for index in range.dropFirst() where self[index] == 0x0A && self[index &- 1] == 0x0D { pairs &+= 1 }
    return feeds &+ returns &- pairs
  }

  /// Returns the number of Unicode scalars that begin in the range, which must be UTF-8.
  func countOfScalars(in range: Range<Int>) -> Int {
    count(
      in: range, vectors: { ($0 & ByteVector(repeating: 0xC0)) .!= ByteVector(repeating: 0x80) },
      bytes: { $0 & 0xC0 != 0x80 })
  }

  /// Returns the offset of the last LF or CR in the range; `nil` if it contains neither.
  func lastLineEnd(in range: Range<Int>) -> Int? {
    var end = range.upperBound
    while end &- range.lowerBound >= 16 {
      let vector = vector(at: end &- 16)
      let ends = (vector .== ByteVector(repeating: 0x0A)) .| (vector .== ByteVector(repeating: 0x0D))
      if ends.hasSetLane { break }
      end &-= 16
    }
    return (range.lowerBound..<end).last { self[$0] == 0x0A || self[$0] == 0x0D }
  }

  /// Returns the number of matching bytes in the range. `vectors` tests sixteen bytes at once, and `bytes` tests a single byte.
  @inline(__always)
  private func count(
    in range: Range<Int>, vectors: (ByteVector) -> SIMDMask<SIMD16<Int8>>, bytes: (UInt8) -> Bool
  ) -> Int {
    var total = 0
    var next = range.lowerBound
    while range.upperBound &- next >= 16 {
      // A lane cannot count beyond 255.
      var counts = ByteVector()
      for _ in 0..<min(255, (range.upperBound &- next) / 16) {
        // A set lane is all ones: minus one.
        counts &-= unsafe unsafeBitCast(vectors(vector(at: next)), to: ByteVector.self)
        next &+= 16
      }
      total &+= Int(SIMD16<UInt16>(truncatingIfNeeded: counts).wrappedSum())
    }
    for index in next..<range.upperBound where bytes(self[index]) { total &+= 1 }
    return total
  }

  @inline(__always)
  private func vector(at offset: Int) -> ByteVector {
    // Safety: the span checks the bounds; any sixteen bytes are a vector.
    unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: ByteVector.self)
  }
}
