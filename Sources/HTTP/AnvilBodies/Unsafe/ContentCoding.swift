package import AnvilBase
package import AnvilHTTP
internal import CZlib

/// A content coding that can be decoded. Source: RFC 9110 §8.4.1, RFC 7932, RFC 8878.
package enum ContentCoding: String, CaseIterable {
  case gzip
  case deflate
  case brotli = "br"
  case zstandard = "zstd"

  /// The maximum number of codings of a body. Each can expand its input many times, and legitimate bodies do not use more.
  package static let limit = 5

  /// Creates the coding with this name, which must be in lower case. Returns `nil` if it cannot be decoded.
  package init?(name: String) {
    // Source: RFC 9110 §8.4.1.3.
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    guard Self.available.contains(self) else { return nil }
  }

  /// The codings that can be decoded, because their libraries are installed.
  package static let available = allCases.filter { coding in
    switch coding {
    case .gzip, .deflate: true
    case .brotli: BrotliLibrary.shared != nil
    case .zstandard: ZstandardLibrary.shared != nil
    }
  }

  /// The first bytes of every body in the coding; `nil` for a coding without a signature. Source: RFC 1952 §2.3.1, RFC 8878 §3.1.1.
  fileprivate var signature: [UInt8]? {
    switch self {
    case .gzip: [0x1F, 0x8B]
    case .zstandard: [0x28, 0xB5, 0x2F, 0xFD]
    case .deflate, .brotli: nil
    }
  }

  /// Returns a decoder for the coding; `nil` if its library is not installed or memory runs out.
  package func makeDecoder() -> (any ContentDecoder)? {
    switch self {
    case .gzip: InflatingDecoder(.gzip)
    case .deflate: InflatingDecoder(.deflate)
    case .brotli: BrotliLibrary.shared.flatMap(BrotliDecoder.init)
    case .zstandard: ZstandardLibrary.shared.flatMap(ZstandardDecoder.init)
    }
  }
}

package protocol ContentDecoder: AnyObject {
  /// Decodes bytes of `input` to `output`, beginning at the start of both, until all input is read or the output is full.
  ///
  /// - Throws: ``MalformedContent`` if the input is not valid in the coding.
  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(MalformedContent) -> (consumed: Int, produced: Int)

  /// True if the decoded content is complete. If it is false at the end of the input, the input is truncated.
  var isAtEnd: Bool { get }
}

package struct MalformedContent: Error {
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }
}

extension Data {
  /// Returns the bytes without these content codings, which are given in the order in which they were applied; `nil` if they are damaged,
  /// truncated, more than `limit`, not in these codings, or in one that cannot be decoded.
  package func decoded(from codings: [String], upTo limit: Int) -> Data? {
    guard codings.count <= ContentCoding.limit else { return nil }
    var data = self
    for coding in codings.reversed() {
      guard let decoder = ContentCoding(name: coding)?.makeDecoder(),
        let decoded = try? data.decoded(by: decoder, limit)
      else { return nil }
      data = decoded
    }
    return data
  }

  private func decoded(by decoder: any ContentDecoder, _ limit: Int) throws(MalformedContent) -> Data? {
    var (result, position) = (Data(), 0)
    var step = [UInt8](repeating: 0, count: 1 << 15)
    while result.count <= limit {
      // Safety: the decoder reads within the rest of the bytes and writes within the step, and both live as long as the closures.
      let (consumed, produced) = unsafe try withUnsafeBytes { bytes in
        unsafe step.withUnsafeMutableBytes { room in
          Result { () throws(MalformedContent) in
            try unsafe decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[position...]), into: room)
          }
        }
      }.get()
      position += consumed
      result.append(contentsOf: step.prefix(produced))
      if consumed == 0, produced == 0 { break }
    }
    return result.count <= limit && decoder.isAtEnd && position == count ? result : nil
  }
}

extension HTTP.Response {
  /// Returns `body`, as a session has delivered it, without the content codings that it still has, and whether it still has them because it
  /// cannot be decoded to at most `limit` bytes.
  ///
  /// A body without the announced length, which counts encoded bytes, and text without a length are decoded already.
  package func decoding(_ body: Data, upTo limit: Int) -> (body: Data, isEncoded: Bool) {
    let codings = headers.contentCodings
    guard let last = codings.last else { return (body, false) }
    var isEncoded = false
    if case .bytes(let length) = headers.contentLength {
      guard length == body.count else { return (body, false) }
      isEncoded = true
    } else if String(validating: body, as: UTF8.self) != nil {
      return (body, false)
    }
    if code != 206, let decoded = body.decoded(from: codings, upTo: limit) { return (decoded, false) }
    return (body, isEncoded || ContentCoding(name: last)?.signature.map(body.starts(with:)) == true)
  }
}

/// The functions of libbrotlidec that are used here. Source: brotli/decode.h, unchanged since 1.0.
@safe
private struct BrotliLibrary: Sendable {
  typealias Create = @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> OpaquePointer?
  typealias Destroy = @convention(c) (OpaquePointer?) -> Void
  typealias Decompress =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
      UnsafeMutablePointer<Int>?,
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?
    ) -> Int32

  let create: Create
  let destroy: Destroy
  let decompress: Decompress

  static let shared: BrotliLibrary? = {
    guard let library = LoadedLibrary("libbrotlidec.so.1", "libbrotlidec.1.dylib"),
      // Safety: the types are those of the header.
      let create = unsafe library.function("BrotliDecoderCreateInstance", as: Create.self),
      let destroy = unsafe library.function("BrotliDecoderDestroyInstance", as: Destroy.self),
      let decompress = unsafe library.function("BrotliDecoderDecompressStream", as: Decompress.self)
    else { return nil }
    return unsafe BrotliLibrary(create: create, destroy: destroy, decompress: decompress)
  }()
}

/// A decoder for Brotli. Source: RFC 7932.
@safe
private final class BrotliDecoder: ContentDecoder {
  private enum Outcome {
    static let error: Int32 = 0
    static let success: Int32 = 1
  }

  private let library: BrotliLibrary
  private let state: OpaquePointer
  private(set) var isAtEnd = false

  init?(_ library: BrotliLibrary) {
    guard let state = unsafe library.create(nil, nil, nil) else { return nil }
    self.library = library
    unsafe self.state = state
  }

  deinit {
    // Safety: created by `init`, and not used from here on.
    unsafe library.destroy(state)
  }

  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(MalformedContent) -> (consumed: Int, produced: Int) {
    guard !isAtEnd else {
      guard unsafe input.isEmpty else {
        throw MalformedContent(reason: "there is data after the end of the compressed body")
      }
      return (0, 0)
    }
    var inputCount = input.count
    var outputCount = output.count
    var next = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var target = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    // Safety: the library reads and writes within these counts and advances the pointers.
    let result = unsafe library.decompress(state, &inputCount, &next, &outputCount, &target, nil)
    guard result != Outcome.error else { throw MalformedContent(reason: "the compressed body is damaged") }
    isAtEnd = result == Outcome.success
    return (input.count - inputCount, output.count - outputCount)
  }
}

/// A decoder for gzip, with any number of members, and for deflate. According to the standard, the coding deflate is the zlib format. Some
/// servers send raw data without the header of zlib, which is also accepted.
///
/// Zeros after the last member of gzip are ignored, as by the program gzip: some programs fill the last block of a file with them.
///
/// Source: RFC 1950, RFC 1951, RFC 1952, RFC 9110 §8.4.1.2.
@safe
private final class InflatingDecoder: ContentDecoder {
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

/// The functions of libzstd that are used here. Source: zstd.h, stable since 1.4.
@safe
private struct ZstandardLibrary: Sendable {
  /// The layout of `ZSTD_inBuffer` and `ZSTD_outBuffer`: the bytes, their count, and the current position.
  @unsafe
  struct Buffer {
    var start: UnsafeMutableRawPointer?
    var count: Int
    var position = 0
  }

  typealias Create = @convention(c) () -> OpaquePointer?
  typealias Destroy = @convention(c) (OpaquePointer?) -> Int
  typealias Set = @convention(c) (OpaquePointer?, Int32, Int32) -> Int
  typealias Decompress = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int
  typealias IsError = @convention(c) (Int) -> UInt32

  let create: Create
  let destroy: Destroy
  let set: Set
  let decompress: Decompress
  let isError: IsError

  static let shared: ZstandardLibrary? = {
    guard let library = LoadedLibrary("libzstd.so.1", "libzstd.1.dylib"),
      // Safety: the types are those of the header.
      let create = unsafe library.function("ZSTD_createDStream", as: Create.self),
      let destroy = unsafe library.function("ZSTD_freeDStream", as: Destroy.self),
      let set = unsafe library.function("ZSTD_DCtx_setParameter", as: Set.self),
      let decompress = unsafe library.function("ZSTD_decompressStream", as: Decompress.self),
      let isError = unsafe library.function("ZSTD_isError", as: IsError.self)
    else { return nil }
    return unsafe ZstandardLibrary(create: create, destroy: destroy, set: set, decompress: decompress, isError: isError)
  }()
}

/// A decoder for Zstandard, with any number of frames. Source: RFC 8878.
@safe
private final class ZstandardDecoder: ContentDecoder {
  /// The parameter `ZSTD_d_windowLogMax` and its value. The value 23 means 8 MiB, the largest window that a content coding may require.
  /// Source: RFC 9659 §3.
  private static let windowLimit: (parameter: Int32, value: Int32) = (100, 23)

  private let library: ZstandardLibrary
  private let stream: OpaquePointer
  private(set) var isAtEnd = false
  private var isInFrame = false

  init?(_ library: ZstandardLibrary) {
    guard let stream = unsafe library.create() else { return nil }
    self.library = library
    unsafe self.stream = stream
    let result = unsafe library.set(stream, Self.windowLimit.parameter, Self.windowLimit.value)
    guard library.isError(result) == 0 else { return nil }
  }

  deinit {
    // Safety: created by `init`, and not used from here on.
    _ = unsafe library.destroy(stream)
  }

  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(MalformedContent) -> (consumed: Int, produced: Int) {
    // At the end of a frame, an empty input would start another frame.
    guard unsafe !(isAtEnd && input.isEmpty) else { return (0, 0) }
    // A frame or a skippable frame. libzstd may also accept formats of its versions before 1.0, but for some of them only if a frame is
    // passed as a whole.
    if !isInFrame, let first = unsafe input.first, first != .openParenthesis, first & 0xF0 != UInt8(ascii: "P") {
      throw MalformedContent(reason: "the compressed body is not in the format of Zstandard")
    }
    var source = unsafe ZstandardLibrary.Buffer(
      start: UnsafeMutableRawPointer(mutating: input.baseAddress), count: input.count)
    var target = unsafe ZstandardLibrary.Buffer(start: output.baseAddress, count: output.count)
    // Safety: the library reads and writes within these counts and does not write to its input.
    let result = unsafe library.decompress(stream, &target, &source)
    guard library.isError(result) == 0 else {
      throw MalformedContent(reason: "the compressed body is damaged")
    }
    isAtEnd = result == 0
    unsafe isInFrame = !isAtEnd && (isInFrame || source.position > 0)
    return unsafe (source.position, target.position)
  }
}

/// An optional dynamic library that is loaded at run time. Most builds of libcurl already depend on the libraries that are used here.
@safe
package struct LoadedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Loads the first available library of these names. It is never unloaded.
  package init?(_ names: String...) {
    for name in names.flatMap(Self.paths(of:)) {
      if let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        unsafe self.handle = handle
        return
      }
    }
    return nil
  }

  /// On macOS, the system searches the folder of Homebrew only on Intel processors.
  package static func paths(of name: String) -> [String] {
    name.hasSuffix(".dylib") ? [name, "/opt/homebrew/lib/\(name)", "/usr/local/lib/\(name)"] : [name]
  }

  /// Safety: `Function` must be the function's type in the library's header, as a `@convention(c)` type.
  @unsafe
  package func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let symbol = unsafe dlsym(handle, name) else { return nil }
    return unsafe unsafeBitCast(symbol, to: type)
  }
}
