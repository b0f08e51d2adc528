public import AnvilBase
internal import CAnvilVectors

/// A growing text. A class can hold it as a constant, like a ``SessionStack``.
///
/// Safety: `header` points to one initialised header that lives until `deallocate()`. Its `base` is ``HeapMemory`` or,
/// until the memory grows, the bytes after a header on a stack. It has room for `capacity` bytes, of which the first
/// `count` are initialised. Every store must be preceded by a reservation: `reserve` leaves at least `slack` bytes
/// beyond the requested ones, so that whole vectors can be stored at the end. Offsets are checked by `assert`.
@safe @usableFromInline @frozen
struct OutputMemory {
  @safe @usableFromInline @frozen
  struct Header: BitwiseCopyable {
    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int
    @usableFromInline var style: DirectStyle
    /// True if this header is on a stack.
    let isOnStack: Bool

    init(base: UnsafeMutableRawPointer, capacity: Int, isOnStack: Bool = false) {
      unsafe self.base = base
      self.capacity = capacity
      self.isOnStack = isOnStack
      style = .own
    }
  }

  /// The number of spare bytes after every reservation. They are also available between any two calls.
  @inlinable
  static var slack: Int { 64 }

  @usableFromInline let header: UnsafeMutablePointer<Header>

  init(capacity: Int) {
    unsafe header = .allocate(capacity: 1)
    let capacity = max(capacity, Self.slack)
    unsafe header.initialize(to: Header(base: HeapMemory.allocate(byteCount: capacity), capacity: capacity))
  }

  /// Creates memory for a text with the forms of `style`. Its header and its first bytes are in `memory`, which is on a
  /// stack. The standard library allocates temporary memory of this size there.
  ///
  /// Safety: `memory` has ``stackSize`` bytes, is aligned for any word, and outlives this one.
  @usableFromInline
  init(_ style: DirectStyle, in memory: UnsafeMutableRawPointer) {
    unsafe header = memory.bindMemory(to: Header.self, capacity: 1)
    let capacity = Self.stackSize - Self.headerSize
    unsafe header.initialize(to: Header(base: memory + Self.headerSize, capacity: capacity, isOnStack: true))
    unsafe header.pointee.style = style
  }

  /// The number of bytes of the stack memory that a writer starts with.
  @inlinable
  static var stackSize: Int { 1024 }

  private static var headerSize: Int { MemoryLayout<Header>.stride }

  /// True if the text is still on a stack, after its header.
  private var isAfterHeader: Bool { unsafe header.pointee.base == UnsafeMutableRawPointer(header) + Self.headerSize }

  func deallocate() {
    if !isAfterHeader { unsafe HeapMemory.deallocate(header.pointee.base) }
    if unsafe !header.pointee.isOnStack { unsafe header.deallocate() }
  }

  @inline(__always)
  var count: Int { unsafe header.pointee.count }

  var capacity: Int { unsafe header.pointee.capacity }

  /// The options with which ``JSON/Writer`` writes values, and its state.
  @inline(__always)
  var style: DirectStyle { unsafe header.pointee.style }

  /// With the thread sanitizer, a writer cannot assign to a property of ``style``: that would be an access to the writer itself.
  @inline(__always)
  func changeStyle(_ change: (inout DirectStyle) -> Void) { unsafe change(&header.pointee.style) }

  /// The address of the first byte after the text.
  @inlinable @inline(__always)
  var end: UnsafeMutableRawPointer { unsafe header.pointee.base + header.pointee.count }

  /// Reserves `length` more bytes, and ``slack``.
  @inlinable @inline(__always)
  func reserve(_ length: Int) {
    if unsafe length &+ Self.slack > header.pointee.capacity &- header.pointee.count { grow(by: length) }
  }

  /// Returns whether there is room for `length` bytes, and ``slack``. A caller that grows the memory only by a call at its end needs to
  /// save no registers.
  @inline(__always)
  func hasRoom(for length: Int) -> Bool {
    unsafe length &+ Self.slack <= header.pointee.capacity &- header.pointee.count
  }

  /// Grows the memory. Terminates the process if no memory is left, as every allocation of the standard library does.
  @usableFromInline @inline(never)
  func grow(by length: Int) {
    // Small memory grows faster, so that less is moved.
    let factor = unsafe header.pointee.capacity < 1 << 16 ? 4 : 2
    let capacity = unsafe max(header.pointee.capacity * factor, header.pointee.count + length + Self.slack)
    if isAfterHeader {
      let base = unsafe HeapMemory.allocate(byteCount: capacity)
      unsafe base.copyMemory(from: header.pointee.base, byteCount: count)
      unsafe header.pointee.base = base
    } else {
      unsafe header.pointee.base = HeapMemory.resize(header.pointee.base, to: capacity)
    }
    unsafe header.pointee.capacity = capacity
  }

  /// Stores `value` at the end, and extends the text by its first `length` bytes. The space must have been reserved.
  @inline(__always)
  func put<Value: BitwiseCopyable>(_ value: Value, length: Int) {
    let count = count
    assert(length <= MemoryLayout<Value>.size)
    assert(unsafe count + MemoryLayout<Value>.size <= header.pointee.capacity)
    unsafe header.pointee.base.storeBytes(of: value, toByteOffset: count, as: Value.self)
    unsafe header.pointee.count = count &+ length
  }

  @inline(__always)
  func append(_ byte: UInt8) {
    reserve(1)
    put(byte, length: 1)
  }

  /// Returns the memory after the text, with space for `length` bytes. It is valid until the next call that reserves space.
  @inline(__always)
  func tail(_ length: Int) -> Tail {
    reserve(length)
    return reservedTail(length)
  }

  /// Returns the memory after the text, in which `length` bytes have been reserved.
  @inline(__always)
  func reservedTail(_ length: Int) -> Tail {
    assert(hasRoom(for: length))
    return unsafe Tail(start: end, length: length)
  }

  /// Extends the text by the first `length` bytes of the memory after it, which must have been stored.
  @inline(__always)
  func advance(_ length: Int) {
    assert(unsafe length >= 0 && header.pointee.count + length <= header.pointee.capacity)
    unsafe header.pointee.count &+= length
  }

  /// The memory after the text, in which bytes are stored before they become part of the text.
  ///
  /// Safety: `start` points to `length` bytes and ``slack`` more, to which no other code writes. Offsets are checked by `assert`.
  @safe
  struct Tail {
    private let start: UnsafeMutableRawPointer
    private let length: Int

    @inline(__always)
    fileprivate init(start: UnsafeMutableRawPointer, length: Int) {
      unsafe self.start = start
      self.length = length
    }

    @inline(__always)
    func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
      assert(offset >= 0 && offset + MemoryLayout<Value>.size <= length + OutputMemory.slack)
      unsafe start.storeBytes(of: value, toByteOffset: offset, as: Value.self)
    }
  }

  @inline(__always)
  subscript(offset: Int) -> UInt8 {
    get {
      assert(offset >= 0 && offset < count)
      return unsafe header.pointee.base.load(fromByteOffset: offset, as: UInt8.self)
    }
    nonmutating set {
      assert(offset >= 0 && offset < count)
      unsafe header.pointee.base.storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
    }
  }

  /// Returns the eight bytes from `offset` on, in native byte order.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    assert(offset >= 0 && offset + 8 <= count)
    return unsafe header.pointee.base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  func append(_ bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    reserve(bytes.count)
    let count = count
    // Safety: there is room for all of `bytes`, whose memory is not this one.
    unsafe bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress {
        unsafe (header.pointee.base + count).copyMemory(from: start, byteCount: bytes.count)
      }
    }
    unsafe header.pointee.count = count &+ bytes.count
  }

  @inline(__always)
  func truncate(to count: Int) {
    assert(count >= 0 && count <= self.count)
    unsafe header.pointee.count = count
  }

  /// Calls `body` with the text of `range`, which is valid only during the call. `body` must not write to this memory.
  @inline(__always)
  func withSpan<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    let start = unsafe (header.pointee.base + range.lowerBound).assumingMemoryBound(to: UInt8.self)
    // Safety: the bytes are initialised; they stay where they are as long as nothing is written.
    return unsafe body(Span(_unsafeStart: start, count: range.count))
  }

  /// Returns whether the text of `part` contains the text of `range`.
  func contains(_ range: Range<Int>, in part: Range<Int>) -> Bool {
    assert(range.lowerBound >= 0 && range.upperBound <= count && part.lowerBound >= 0 && part.upperBound <= count)
    // Safety: both ranges are within the text.
    return unsafe anvil_find(
      header.pointee.base + part.lowerBound, UInt(part.count), header.pointee.base + range.lowerBound,
      UInt(range.count)) != nil
  }

  /// Removes the text of `ranges`, which are in order and do not overlap.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text from the first range on.
  func remove(_ ranges: [Range<Int>]) {
    guard var end = ranges.first?.lowerBound else { return }
    for (index, range) in ranges.enumerated() {
      let next = index + 1 < ranges.count ? ranges[index + 1].lowerBound : count
      assert(end <= range.lowerBound && range.upperBound <= next && next <= count)
      // Safety: both ranges are within the text. `copyMemory` allows overlaps.
      unsafe (header.pointee.base + end).copyMemory(
        from: header.pointee.base + range.upperBound, byteCount: next - range.upperBound)
      end += next - range.upperBound
    }
    truncate(to: end)
  }

  /// Removes the text from `offset` on and returns it.
  func cut(from offset: Int) -> [UInt8] {
    let tail = withSpan(offset..<count) { bytes in bytes.indices.map { bytes[$0] } }
    truncate(to: offset)
    return tail
  }

  /// Exchanges the text with that of `other`. Neither may be on a stack.
  func swap(with other: OutputMemory) {
    assert(unsafe !header.pointee.isOnStack && !other.header.pointee.isOnStack)
    unsafe Swift.swap(&header.pointee, &other.header.pointee)
  }
}

/// Keys of objects, followed by a colon.
///
/// Functions for literal keys are inlined into the calling modules. For a key without characters that need escaping, only the
/// stores of its bytes remain, because the compiler knows its content and length.
extension OutputMemory {
  /// Writes `key` in quotation marks, and a colon.
  ///
  /// Short keys are stored in the ``slack`` that remains after every value. The value that follows reserves it again.
  @inlinable @inline(__always)
  func write(key: StaticString) {
    guard key.isPlain else { return write(key: key.description) }
    let length = key.utf8CodeUnitCount
    if length &+ 3 > Self.slack { reserve(length &+ 3) }
    let start = unsafe end
    unsafe start.storeBytes(of: UInt8.quote, as: UInt8.self)
    // Safety: there is room for the key and three bytes more; the key is no part of this memory.
    unsafe (start + 1).copyMemory(from: key.utf8Start, byteCount: length)
    unsafe (start + (length &+ 1)).storeBytes(of: (0x3A22 as UInt16).littleEndian, as: UInt16.self)
    unsafe header.pointee.count &+= length &+ 3
  }

  /// Writes `key` in quotation marks, escaped, and a colon.
  @usableFromInline @inline(never)
  func write(key: String) {
    append(quoted: key, escapingSlashes: style.escapesSlashes)
    append(.colon)
  }
}

extension StaticString {
  /// True if no character needs escaping.
  ///
  /// It reads eight bytes at a time, and may read some of the last eight bytes twice. It has so few steps that the compiler can evaluate it
  /// for literals.
  @inlinable @inline(__always)
  var isPlain: Bool {
    guard hasPointerRepresentation else { return false }
    let length = utf8CodeUnitCount
    // Safety: all loads end at the end of the text at the latest.
    let start = unsafe UnsafeRawPointer(utf8Start)
    if length >= 8 {
      var specials: UInt64 = 0
      var offset = 0
      while offset &+ 8 <= length {
        specials |= unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self).stringSpecials
        offset &+= 8
      }
      return unsafe specials | start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self).stringSpecials == 0
    }
    if length >= 4 {
      let first = unsafe UInt64(start.loadUnaligned(as: UInt32.self))
      let last = unsafe UInt64(start.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self))
      return (first | last &<< 32).stringSpecials == 0
    }
    guard length > 0 else { return true }
    let first = unsafe UInt64(start.load(as: UInt8.self))
    let middle = unsafe UInt64(start.load(fromByteOffset: length &>> 1, as: UInt8.self))
    let last = unsafe UInt64(start.load(fromByteOffset: length &- 1, as: UInt8.self))
    return (first | middle &<< 8 | last &<< 16 | 0x2020_2020_2000_0000).stringSpecials == 0
  }
}

extension UInt64 {
  /// A value that is not zero if a byte is a quotation mark, a backslash or a control character.
  @inlinable @inline(__always)
  var stringSpecials: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ 0x2222_2222_2222_2222
    let backslashes = self ^ 0x5C5C_5C5C_5C5C_5C5C
    let controls = (self &- ones &* 0x20) & ~self
    return (controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)) & 0x8080_8080_8080_8080
  }
}

extension OutputMemory {
  func data() -> Data { unsafe Data(bytes: header.pointee.base, count: count) }

  func bytes() -> [UInt8] {
    // Safety: `count` bytes are initialised, by a copy of as many.
    unsafe [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      unsafe UnsafeMutableRawBufferPointer(target).copyMemory(
        from: UnsafeRawBufferPointer(start: header.pointee.base, count: count))
      initialized = count
    }
  }

  /// Calls `body` with the text, which must not be written to during the call.
  func withText(_ body: (Span<UInt8>) -> Void) {
    // Safety: `count` bytes are initialised and stay where they are for as long as the call runs.
    unsafe body(Span(_unsafeStart: header.pointee.base.assumingMemoryBound(to: UInt8.self), count: count))
  }

  /// Returns the text as a string. Invalid UTF-8 is repaired.
  func string() -> String {
    // Safety: `count` bytes are initialised, and no other code writes to them during the call.
    unsafe String(decoding: UnsafeRawBufferPointer(start: header.pointee.base, count: count), as: UTF8.self)
  }

  /// The number of bytes from which on data takes ownership of the memory instead of copying it. This reduced the time of writing without
  /// containers by 2 % for texts of 50 kB to 2 MB, and by 5 % at 400 kB.
  private static let takenCount = 1 << 15

  /// Returns the text as data and leaves this memory empty.
  func takeData() -> Data {
    let count = count
    guard count >= Self.takenCount else {
      let data = data()
      truncate(to: 0)
      return data
    }
    let fresh = unsafe HeapMemory.allocate(byteCount: Self.slack)
    // Safety: the memory comes from `malloc`, as the deallocator requires, and from here on belongs to the data alone; the
    // header gets other memory.
    let base = unsafe HeapMemory.resize(header.pointee.base, to: count)
    unsafe header.pointee.base = fresh
    unsafe header.pointee.count = 0
    unsafe header.pointee.capacity = Self.slack
    return unsafe Data(bytesNoCopy: base, count: count, deallocator: .free)
  }
}

extension WrittenDate {
  /// Calls `body` with the text, which is valid only during the call.
  func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    unsafe withUnsafeBytes(of: words) { bytes in
      // Safety: `length` is at most 30 of the 32 bytes, which live for the call.
      unsafe body(Span(_unsafeBytes: bytes).extracting(0..<length))
    }
  }
}

extension OutputMemory {
  /// Appends the date in quotation marks.
  @inline(__always)
  func append(_ date: WrittenDate, _ ending: Ending = .nothing) {
    let tail = tail(40)
    tail.store(UInt8.quote, at: 0)
    tail.store(date.words.0, at: 1)
    tail.store(date.words.1, at: 9)
    tail.store(date.words.2, at: 17)
    tail.store(date.words.3, at: 25)
    // The quotation mark, and a comma that may or may not become part of the text.
    tail.store((0x2C22 as UInt16).littleEndian, at: date.length &+ 1)
    advance(date.length &+ 2 &+ Int(ending.rawValue))
  }
}
