internal import CZlib

/// A decoder for gzip, with any number of members, and for deflate. According to the standard, the coding deflate is the zlib format. Some
/// servers send raw data without the header of zlib, which is also accepted.
///
/// Zeros after the last member of gzip are ignored, as by the program gzip: some programs fill the last block of a file with them.
///
/// Source: RFC 1950, RFC 1951, RFC 1952, RFC 9110 §8.4.1.2.
@safe
final class InflatingDecoder: ContentDecoder {
  enum Format {
    case gzip
    case deflate
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let format: Format
  private var hasBegun = false
  /// True if zeros have followed the last member.
  private var hasPadding = false
  private(set) var isAtEnd = false

  init?(_ format: Format) {
    self.format = format
    // Safety: zlib needs its stream at a fixed address. It is freed by `deinit`, which also runs on failure here, as all properties
    // are set.
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // 15 is the largest window size; adding 16 selects gzip.
    guard unsafe anvil_inflate_start(stream, format == .gzip ? 31 : 15) == Z_OK else { return nil }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(MalformedContent) -> (consumed: Int, produced: Int) {
    if isAtEnd {
      guard let first = unsafe input.first else { return (0, 0) }
      if format == .gzip, first == 0 || hasPadding {
        hasPadding = true
        // Safety: the bytes are valid during the call, and the loop checks their bounds.
        let count = unsafe input.firstIndex { $0 != 0 } ?? input.count
        guard count > 0 else {
          throw MalformedContent(reason: "there is data after the end of the compressed body")
        }
        return (count, 0)
      }
      // Another member follows. Anything else is refused when its header is read.
      guard format == .gzip, unsafe inflateReset(stream) == Z_OK else {
        throw MalformedContent(reason: "there is data after the end of the compressed body")
      }
      isAtEnd = false
    }
    if !hasBegun, format == .deflate, let first = unsafe input.first {
      // If the low half of the first byte is not 8 (deflate), there is no zlib header and the data is raw.
      if first & 0x0F != 8 { unsafe inflateReset2(stream, -15) }
    }
    if unsafe !input.isEmpty { hasBegun = true }
    let (inputCount, outputCount) = (min(input.count, Int(UInt32.max)), min(output.count, Int(UInt32.max)))
    // Safety: zlib reads and writes within these bounds; it does not write through `next_in`.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = UInt32(inputCount)
    unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(outputCount)
    let result = unsafe inflate(stream, Z_NO_FLUSH)
    let consumed = inputCount - Int(unsafe stream.pointee.avail_in)
    let produced = outputCount - Int(unsafe stream.pointee.avail_out)
    switch result {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isAtEnd = true
    default:
      let words = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "error \(result)"
      throw MalformedContent(reason: "the compressed body is damaged: \(words)")
    }
    return (consumed, produced)
  }
}
