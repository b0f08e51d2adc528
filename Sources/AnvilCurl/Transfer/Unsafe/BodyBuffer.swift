internal import AnvilClient
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Memory that a response's bytes are gathered in and that then becomes a `Data` without being copied.
///
/// Buffers of the usual size come back to a pool when the last `Data` on them goes: fresh ones for a body of 100 MB cost more
/// in page faults than the transfer itself.
@safe
struct BodyBuffer: ~Copyable {
  /// The size of those that come back.
  static let slabSize = 256 << 10

  /// `nil` when the bytes are a `Data`'s.
  private var start: UnsafeMutableRawPointer?
  let capacity: Int
  private(set) var count = 0
  private let pool: SlabPool?

  /// A buffer from `pool`.
  init(of pool: SlabPool) {
    unsafe start = .some(pool.take())
    capacity = Self.slabSize
    self.pool = pool
  }

  /// A buffer of exactly this size, at least one byte.
  init(capacity: Int) {
    unsafe start = malloc(capacity)
    self.capacity = unsafe start == nil ? 0 : capacity
    pool = nil
  }

  /// Appends as many of `bytes` as there is room for and tells how many.
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

  /// Appends what `decoder` has and there is room for, and tells how many bytes that were.
  mutating func fill(from decoder: BodyDecoder) throws(TransportError) -> Int {
    guard let start = unsafe start else { return 0 }
    let room = unsafe UnsafeMutableRawBufferPointer(start: start + count, count: capacity - count)
    let count = try unsafe decoder.read(into: room)
    self.count += min(count, room.count)
    return count
  }

  /// Whether there is no room left.
  var isFull: Bool { count == capacity }

  /// The bytes. A buffer that is mostly empty is not kept for them.
  consuming func data() -> Data {
    guard let bytes = unsafe start, count > 0 else { return Data() }
    // Safety: this many bytes have been written.
    guard count > capacity / 4 * 3 else { return unsafe Data(bytes: bytes, count: count) }
    unsafe start = nil
    // Safety: memory of its own was allocated as `free` expects it.
    guard let pool else { return unsafe Data(bytesNoCopy: bytes, count: count, deallocator: .free) }
    let address = UInt(bitPattern: bytes)
    // Safety: the memory is the data's from here on, which gives it back, once.
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

/// Buffers that were used and can be again; from any thread.
@safe
final class SlabPool: Sendable {
  /// How many are kept: 4 MiB.
  private static let capacity = 16

  /// Addresses, as pointers are not Sendable.
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
    // Safety: what is in the pool is nobody else's.
    for address in free.withLock({ $0 }) { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
  }
}

extension [UInt8] {
  /// Appends the bytes of `span`.
  mutating func append(_ span: RawSpan) {
    // Safety: the bytes are there while the closure runs.
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// Calls `body` with the bytes.
  func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    // Safety: the bytes are there while the closure runs.
    unsafe withUnsafeBytes { unsafe body($0.bytes) }
  }
}
