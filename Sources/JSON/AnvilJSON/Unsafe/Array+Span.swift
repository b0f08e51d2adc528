internal import AnvilBase

extension Array where Element: BitwiseCopyable {
  /// The elements, without copying them.
  ///
  /// `Array.span` of the standard library needs macOS 26 or iOS 26, because an array of objects may be stored as an `NSArray`. For such
  /// elements, use `ContiguousArray(array).span`, which copies only an `NSArray`.
  @inlinable @inline(__always)
  package var elementSpan: Span<Element> {
    @_lifetime(borrow self) get {
      // Safety: arrays of elements that are not objects store them contiguously, in memory that they own. The span borrows the array, so
      // the array is neither released nor modified while the span exists.
      let elements = unsafe withUnsafeBufferPointer { elements in unsafe elements }
      return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
    }
  }
}

extension [UInt8] {
  /// Appends the bytes of `span`, which must not belong to the array.
  @inline(__always)
  mutating func append(contentsOf span: Span<UInt8>) {
    // Safety: the bytes are alive and initialised as long as the span.
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of `span` from `start` on, which must not belong to the array.
  mutating func append(contentsOf span: borrowing RawSpan, from start: Int) {
    // Safety: the bytes are alive and initialised as long as the span.
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0.dropFirst(start)) }
  }
}

extension Span<UInt8> {
  var isASCII: Bool {
    var next = 0
    while count &- next >= 8 {
      // Safety: the span checks the bounds; any eight bytes are a `UInt64`.
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: next, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      next &+= 8
    }
    while next < count {
      if self[next] >= 0x80 { return false }
      next &+= 1
    }
    return true
  }
}

extension String {
  /// Calls `body` with the string's UTF-8, which is valid only during the call.
  ///
  /// `String.utf8Span` requires newer systems than the package does.
  @inline(__always)
  func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    // Contiguous storage is read in place: through a copy, decoding took 3 % more time, encoding 4.5 % more instructions.
    // Safety: the buffer is the string's storage and lives for the call.
    if let result = unsafe utf8.withContiguousStorageIfAvailable({ unsafe body(Span(_unsafeElements: $0)) }) {
      return result
    }
    return withCopiedUTF8Span(body)
  }

  /// Calls `body` with a copy of the string's UTF-8, for a string from Objective-C, whose storage is not contiguous.
  ///
  /// The function is not optimised, so that it is not specialised for each `body`. With two more copies of every `body`, the module had 2.4
  /// % more code.
  @inline(never) @_optimize(none)
  private func withCopiedUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    var copy = self
    // Safety: the buffer is the copy's storage and lives for the call.
    return copy.withUTF8 { unsafe body(Span(_unsafeElements: $0)) }
  }
}

/// Counting in texts of any length, sixteen bytes at a time.
extension RawSpan {
  /// Returns the number of line ends in the range: LF, CR LF or CR.
  func countOfLineEnds(in range: Range<Int>) -> Int {
    let feeds = count(in: range, vectors: { $0 .== ByteVector(repeating: .lineFeed) }, bytes: { $0 == .lineFeed })
    let returns = count(
      in: range, vectors: { $0 .== ByteVector(repeating: .carriageReturn) }, bytes: { $0 == .carriageReturn })
    guard returns > 0, feeds > 0 else { return feeds &+ returns }
    var pairs = 0
    for index in range.dropFirst() where self[index] == .lineFeed && self[index &- 1] == .carriageReturn { pairs &+= 1 }
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
      let ends = (vector .== ByteVector(repeating: .lineFeed)) .| (vector .== ByteVector(repeating: .carriageReturn))
      if ends.hasSetLane { break }
      end &-= 16
    }
    return (range.lowerBound..<end).last { self[$0] == .lineFeed || self[$0] == .carriageReturn }
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
