internal import AnvilBase
internal import CZlib

/// Compresses bytes that arrive in chunks into one gzip member.
///
/// The header has no file name and no time, so that equal data has equal compressed data. Source: RFC 1952.
@safe
final class GzipEncoder {
  /// zlib's compromise between speed and size.
  private static let level: Int32 = 6
  private static let outputSize = 1 << 15
  /// The maximum number of bytes that are passed to zlib at once. zlib uses 32-bit byte counts.
  private static let longestInput = 1 << 30

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableBufferPointer<UInt8>

  /// Creates an encoder. Returns `nil` if zlib cannot allocate memory.
  init?() {
    // Safety: zlib needs its stream at a stable address. `deinit` frees it, also when this initializer fails: all properties are set then.
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe output = .allocate(capacity: Self.outputSize)
    guard unsafe anvil_gzip_start(stream, Self.level) == Z_OK else { return nil }
  }

  deinit {
    // Safety: ending a stream that was not started only returns an error code.
    unsafe deflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
    unsafe output.deallocate()
  }

  /// Compresses `chunk` and returns the bytes that zlib has produced. The result may be empty.
  func compress(_ chunk: Data) -> Data {
    var compressed = Data()
    var rest = chunk
    while !rest.isEmpty {
      run(rest.prefix(Self.longestInput), Z_NO_FLUSH, into: &compressed)
      rest = rest.dropFirst(Self.longestInput)
    }
    return compressed
  }

  /// Returns the rest of the member. The encoder must not be used afterwards.
  func finish() -> Data {
    var compressed = Data()
    run(Data(), Z_FINISH, into: &compressed)
    return compressed
  }

  private func run(_ input: Data, _ flush: Int32, into compressed: inout Data) {
    // Safety: zlib reads only from `input`, which lives until the closure ends, and does not write through `next_in`. It writes only to
    // `output`, of which only the written part is copied. No pointer to `input` remains in the stream.
    unsafe input.withUnsafeBytes { bytes in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(
        mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      unsafe stream.pointee.avail_in = UInt32(bytes.count)
      repeat {
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        unsafe deflate(stream, flush)
        let written = unsafe output.count - Int(stream.pointee.avail_out)
        unsafe compressed.append(contentsOf: output[..<written])
        // If the buffer is full, there may be more.
      } while unsafe stream.pointee.avail_out == 0
      unsafe stream.pointee.next_in = nil
      unsafe stream.pointee.avail_in = 0
    }
  }
}
