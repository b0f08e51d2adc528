/// The functions of libbrotlidec that are used here. Source: brotli/decode.h, unchanged since 1.0.
@safe
struct BrotliLibrary: Sendable {
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

  /// The library; `nil` if it is not installed.
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
final class BrotliDecoder: ContentDecoder {
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
