internal import CZlib

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Compresses bytes that arrive in chunks into one gzip member.
///
/// The header has no file name and no time: the same bytes compress to the same bytes. Source: RFC 1952.
@safe
final class GzipEncoder {
  private static let outputSize = 1 << 15
  /// zlib counts the bytes of a call in 32 bits.
  private static let longestInput = 1 << 30

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableBufferPointer<UInt8>

  /// - Returns: `nil` where zlib has no memory.
  init?(level: Int32) {
    // Safety: zlib needs its stream at a stable address; it is freed by `deinit`, as all properties are set when this fails.
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe output = .allocate(capacity: Self.outputSize)
    guard unsafe anvil_gzip_start(stream, level) == Z_OK else { return nil }
  }

  deinit {
    // Safety: ending a stream that was not started is an error code and nothing else.
    unsafe deflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
    unsafe output.deallocate()
  }

  /// Returns the compressed bytes that are complete after `chunk`: possibly none.
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
    // Safety: zlib reads within `input`, which lives until the closure ends, and does not write through `next_in`. It writes
    // within `output`, of which as much as it wrote is initialised and copied. Nothing is left in the stream that points to
    // `input`.
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
        // A full buffer: there may be more.
      } while unsafe stream.pointee.avail_out == 0
      unsafe stream.pointee.next_in = nil
      unsafe stream.pointee.avail_in = 0
    }
  }
}
