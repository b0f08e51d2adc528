#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Updating on the direct path.
extension JSON.Decoder {
  /// Returns `value` updated from the whole of `data` with ``JSONDirectlyUpdatable/update(from:)``; `nil` if a strategy requires containers
  /// or the text cannot be read.
  package func updatedDirectly<Value: JSONDirectlyUpdatable>(_ value: Value, from data: Data) -> Value? {
    guard let (options, dates) = directOptions else { return nil }
    var updated = value
    do throws(JSON.ReadingError) {
      try JSON.update(&updated, from: data.bytes, options, dates)
      return updated
    } catch {
      return nil
    }
  }
}

extension JSON {
  /// Updates `value` from `bytes`, a JSON text in UTF-8, UTF-16 or UTF-32.
  private static func update<Value: JSONDirectlyUpdatable>(
    _ value: inout Value, from bytes: RawSpan, _ options: ParsingOptions, _ dates: DateForm
  ) throws(ReadingError) {
    if let utf8 = try utf8(of: bytes, options) {
      // Safety: `UInt8` has no padding, and the array outlives the call.
      try update(&value, fromUTF8: unsafe utf8.elementSpan.bytes, from: 0, options, dates)
    } else {
      try update(&value, fromUTF8: bytes, from: markLength(of: bytes), options, dates)
    }
  }

  private static func update<Value: JSONDirectlyUpdatable>(
    _ value: inout Value, fromUTF8 bytes: RawSpan, from start: Int, _ options: ParsingOptions, _ dates: DateForm
  ) throws(ReadingError) {
    var reader = Reader(bytes, from: start, depthLimit: options.depthLimit, dates: dates)
    try reader.start(options)
    try value.update(from: &reader)
    try reader.finish()
  }
}
