internal import AnvilBase
internal import AnvilClient
internal import Synchronization

/// A buffer for a response's bytes that becomes a `Data` without copying.
///
/// Buffers of the usual size return to a pool when the `Data` is released. Without the pool, the page faults of new buffers for a body of
/// 100 MB would take more time than the transfer itself.
@safe
struct BodyBuffer: ~Copyable {
  static let slabSize = 256 << 10

  /// The memory; `nil` after it was passed to a `Data`.
  private var start: UnsafeMutableRawPointer?
  let capacity: Int
  private(set) var count = 0
  private let pool: SlabPool?

  init(of pool: SlabPool) {
    unsafe start = .some(pool.take())
    capacity = Self.slabSize
    self.pool = pool
  }

  /// Creates a buffer of exactly this size in bytes, which must be at least 1.
  init(capacity: Int) {
    unsafe start = malloc(capacity)
    self.capacity = unsafe start == nil ? 0 : capacity
    pool = nil
  }

  mutating func append(_ bytes: RawSpan) -> Int {
    let count = min(bytes.byteCount, capacity - self.count)
    guard count > 0, let target = unsafe start.map({ unsafe $0 + self.count }) else { return 0 }
    unsafe bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      // Safety: there is room for this many, and the caller's bytes lie elsewhere.
      unsafe target.copyMemory(from: source, byteCount: count)
    }
    self.count += count
    return count
  }

  mutating func fill(from decoder: BodyDecoder) throws(TransportError) -> Int {
    guard let start = unsafe start else { return 0 }
    let room = unsafe UnsafeMutableRawBufferPointer(start: start + count, count: capacity - count)
    let count = try unsafe decoder.read(into: room)
    self.count += min(count, room.count)
    return count
  }

  var isFull: Bool { count == capacity }

  /// Returns the bytes. If the buffer is mostly empty, the bytes are copied, so that its memory can be released.
  consuming func data() -> Data {
    guard let bytes = unsafe start, count > 0 else { return Data() }
    // Safety: this many bytes have been written.
    guard count > capacity / 4 * 3 else { return unsafe Data(bytes: bytes, count: count) }
    unsafe start = nil
    // Safety: memory that is not from a pool was allocated with `malloc`, as `free` expects.
    guard let pool else { return unsafe Data(bytesNoCopy: bytes, count: count, deallocator: .free) }
    let address = UInt(bitPattern: bytes)
    // Safety: the memory belongs to the data from here on, which returns it once.
    return unsafe Data(
      bytesNoCopy: bytes, count: count,
      deallocator: .custom { _, _ in unsafe Self.release(UnsafeMutableRawPointer(bitPattern: address), pool) })
  }

  private static func release(_ start: UnsafeMutableRawPointer?, _ pool: SlabPool?) {
    guard let start = unsafe start else { return }
    if let pool {
      unsafe pool.give(start)
    } else {
      unsafe free(start)
    }
  }

  deinit {
    unsafe Self.release(start, pool)
  }
}

/// A pool of buffers for reuse. It may be used on any thread.
@safe
final class SlabPool: Sendable {
  /// The maximum number of buffers that are kept. Together they have 4 MiB.
  private static let capacity = 16

  /// The addresses of free buffers. Pointers themselves are not Sendable.
  private let free = Mutex<[UInt]>([])

  func take() -> UnsafeMutableRawPointer {
    let address = free.withLock { $0.popLast() }
    if let address, let slab = unsafe UnsafeMutableRawPointer(bitPattern: address) { return unsafe slab }
    return .allocate(byteCount: BodyBuffer.slabSize, alignment: 16)
  }

  func give(_ slab: UnsafeMutableRawPointer) {
    let isKept = free.withLock { free in
      guard free.count < Self.capacity else { return false }
      free.append(UInt(bitPattern: slab))
      return true
    }
    if !isKept { unsafe slab.deallocate() }
  }

  deinit {
    // Safety: buffers in the pool have no other owner.
    for address in free.withLock({ $0 }) { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
  }
}

extension [UInt8] {
  mutating func append(_ span: RawSpan) {
    // Safety: the bytes are valid while the closure runs.
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    // Safety: the bytes are valid while the closure runs.
    unsafe withUnsafeBytes { unsafe body($0.bytes) }
  }
}
