#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: JSONWritable {
  /// Writes the absolute URL as a string.
  public func write(to writer: inout JSON.Writer) { absoluteString.write(to: &writer) }
}

extension UUID: JSONWritable {
  /// Writes the UUID as a string such as `F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6`.
  public func write(to writer: inout JSON.Writer) { uuidString.write(to: &writer) }
}

extension Decimal: JSONWritable {
  /// Writes the number with all its digits. Records a failure for NaN.
  public func write(to writer: inout JSON.Writer) {
    guard !isNaN else { return writer.failNotFinite() }
    guard writer.claim() else { return }
    description.withUTF8Span { writer.output.append($0) }
    writer.output.append(0x2C)
  }
}

extension Data: JSONWritable {
  /// Writes the bytes as a string in padded base64 without line breaks. Source: RFC 4648 §4.
  public func write(to writer: inout JSON.Writer) {
    guard writer.claim() else { return }
    guard writer.output.style.escapesSlashes else { return writer.output.write(base64: bytes) }
    writer.output.append(quoted: base64EncodedString(), escapingSlashes: true, .comma)
  }
}

extension Date: JSONWritable {
  /// Writes a string as in RFC 3339, in UTC: `2026-02-03T04:05:06Z`, or `2026-02-03T04:05:06.789Z` rounded to the nearest millisecond if
  /// there is a fraction. Records a failure for a date that is not finite or not in the years 0 to 9999.
  public func write(to writer: inout JSON.Writer) {
    guard writer.output.style.dates == .own else { return writer.write(self, as: writer.output.style.dates) }
    let seconds = timeIntervalSince1970
    guard seconds.isFinite else { return writer.failNotFinite() }
    guard let date = WrittenDate(toTheMillisecond: seconds) else { return writer.failDateOutOfRange() }
    if writer.claim() { writer.output.append(date, .comma) }
  }
}

extension JSON.Writer.Members {
  /// Writes a member that is a date in `format`.
  public mutating func write(_ key: StaticString, _ date: Date, as format: JSON.DateFormat) {
    writer.output.write(key: key)
    writer.expectsValue = true
    date.write(to: &writer, as: format)
  }

  /// Writes a member that is a date in `format`, or nothing if `date` is `nil`.
  public mutating func write(_ key: StaticString, ifPresent date: Date?, as format: JSON.DateFormat) {
    if let date { write(key, date, as: format) }
  }
}

extension JSON.Writer {
  @inline(never)
  mutating func failDateOutOfRange() {
    fail(.dateOutOfRange)
    writeNull()
  }
}
