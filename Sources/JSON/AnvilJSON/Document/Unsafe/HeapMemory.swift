#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Memory of the C library, which can be shrunk in place.
///
/// Safety: memory that is allocated here is freed here, once.
enum HeapMemory {
  /// Returns `byteCount` bytes of uninitialised memory, aligned for any word.
  static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    guard let memory = unsafe malloc(max(byteCount, 1)) else { outOfMemory(byteCount) }
    return unsafe memory
  }

  /// Returns `memory` resized to `byteCount` bytes, usually at the same address.
  static func resize(_ memory: UnsafeMutableRawPointer, to byteCount: Int) -> UnsafeMutableRawPointer {
    guard let resized = unsafe realloc(memory, max(byteCount, 1)) else { outOfMemory(byteCount) }
    return unsafe resized
  }

  static func free(_ memory: UnsafeMutableRawPointer) {
    #if canImport(Glibc)
    unsafe Glibc.free(memory)
    #elseif canImport(Musl)
    unsafe Musl.free(memory)
    #else
    unsafe Darwin.free(memory)
    #endif
  }

  /// Terminates the process, as the standard library does.
  @inline(never)
  private static func outOfMemory(_ byteCount: Int) -> Never {
    fatalError("cannot allocate \(byteCount) bytes")
  }
}
