internal import AnvilStore
internal import CPostgres

/// The values of a statement's placeholders in the format of the server. One buffer contains all values.
struct PostgresParameters {
  /// A value in the binary format or as text with a final NUL. NULL has no bytes.
  private struct Parameter {
    var start: Int
    var count: Int32
    var isBinary: Bool
    var isNull = false
  }

  private var parameters: [Parameter] = []
  /// The bytes of all values. The array is never empty, so that it always has an address: the library would read a null pointer as NULL.
  private var bytes: [UInt8] = [0]

  mutating func appendNull() {
    parameters.append(Parameter(start: 0, count: 0, isBinary: false, isNull: true))
  }

  /// - Parameter limit: The maximum number of bytes of all values together.
  mutating func append(
    isBinary: Bool, limit: Int, _ write: (inout [UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let start = bytes.count
    try write(&bytes)
    guard bytes.count <= limit, let count = Int32(exactly: bytes.count - start) else {
      throw StoreError(code: .tooLarge, reason: "the values of the statement exceed \(limit) bytes")
    }
    parameters.append(Parameter(start: start, count: count, isBinary: isBinary))
    if !isBinary { bytes.append(0) }
  }

  /// The arguments of libpq: the number of values, and their addresses, lengths and formats.
  func withArrays<Result>(
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
  ) -> Result {
    // Safety: the pointers point into `bytes`, which does not change while the closures run. Text ends with a NUL,
    // and binary values have a length. An empty buffer has no values to point to.
    unsafe bytes.withUnsafeBytes { bytes in
      let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let values = unsafe parameters.map { parameter in
        unsafe parameter.isNull ? nil : base.map { unsafe $0 + parameter.start }
      }
      return unsafe values.withUnsafeBufferPointer { values in
        unsafe parameters.map(\.count).withUnsafeBufferPointer { counts in
          unsafe parameters.map { $0.isBinary ? 1 : 0 as Int32 }.withUnsafeBufferPointer { formats in
            unsafe body(Int32(clamping: values.count), values.baseAddress, counts.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}
