internal import CAnvilVectors

/// The positions of JSON's structural characters in up to 64 bytes, both inside and outside of strings, as masks with one bit for each
/// byte. The lowest bit is that of the first byte.
struct StructureLanes {
  var quotationMarks: UInt64
  var backslashes: UInt64
  /// The opening brackets of arrays and objects.
  var openings: UInt64
  /// The closing brackets of arrays and objects.
  var closings: UInt64
}

extension RawSpan {
  /// Returns the structure of the 64 bytes from `offset` on, or of fewer at the end.
  @inline(__always)
  func structureLanes(at offset: Int) -> StructureLanes {
    precondition(offset >= 0 && offset <= byteCount)
    let count = byteCount &- offset
    // Safety: 64 bytes are read from `offset` on. If there are fewer, they are read from a padded copy.
    return unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return Self.lanes(of: SIMD64()) }
      guard count < 64 else { return unsafe Self.lanes(from: start + offset) }
      var block = SIMD64<UInt8>()
      unsafe Swift.withUnsafeMutableBytes(of: &block) {
        unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: start + offset, count: count))
      }
      return Self.lanes(of: block)
    }
  }

  private static func lanes(of block: SIMD64<UInt8>) -> StructureLanes {
    // Safety: the block has 64 bytes and lives for the call.
    unsafe Swift.withUnsafeBytes(of: block) { bytes in
      guard let start = bytes.baseAddress else {
        return StructureLanes(quotationMarks: 0, backslashes: 0, openings: 0, closings: 0)
      }
      return unsafe lanes(from: start)
    }
  }

  /// Returns the structure of the 64 bytes from `start` on.
  ///
  /// Safety: 64 bytes can be read from `start` on.
  @inline(__always)
  private static func lanes(from start: UnsafeRawPointer) -> StructureLanes {
    let lanes = unsafe anvil_find_structure(start)
    return StructureLanes(
      quotationMarks: lanes.quotation_marks, backslashes: lanes.backslashes, openings: lanes.openings,
      closings: lanes.closings)
  }
}
