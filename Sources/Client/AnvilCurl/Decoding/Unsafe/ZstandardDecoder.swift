/// The functions of libzstd that are used here. Source: zstd.h, stable since 1.4.
@safe
struct ZstandardLibrary: Sendable {
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

  /// The library; `nil` if it is not installed.
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
final class ZstandardDecoder: ContentDecoder {
  /// The parameter `ZSTD_d_windowLogMax` and its value. The value 23 means 8 MiB, the largest window that a content coding may require.
  /// Source: RFC 9659 §3.
  private static let windowLimit: (parameter: Int32, value: Int32) = (100, 23)

  private let library: ZstandardLibrary
  private let stream: OpaquePointer
  private(set) var isAtEnd = false
  /// True if the first byte of a frame has been decoded, and its last byte has not.
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
    if !isInFrame, let first = unsafe input.first, first != 0x28, first & 0xF0 != 0x50 {
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
