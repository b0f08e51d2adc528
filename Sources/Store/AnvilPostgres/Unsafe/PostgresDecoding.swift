internal import AnvilBase
internal import AnvilStore

/// Decodes the bytes of one value, in the binary or the text format. A property is `nil` if the bytes are not valid for
/// its type.
///
/// Safety: values of this type are created and used only while the bytes are valid. The bytes are read as a buffer,
/// within its bounds.
@safe
struct PostgresDecoding {
  private let value: UnsafeRawBufferPointer
  private let isBinary: Bool

  @unsafe
  init(_ value: UnsafeRawBufferPointer, isBinary: Bool) {
    unsafe self.value = value
    self.isBinary = isBinary
  }

  var integer: Int64? {
    guard isBinary else { return ascii.flatMap { Int64($0) } }
    return switch unsafe value.count {
    case 8: Int64(bitPattern: bigEndian)
    case 4: Int64(Int32(truncatingIfNeeded: bigEndian))
    case 2: Int64(Int16(truncatingIfNeeded: bigEndian))
    default: nil
    }
  }

  var unsignedInteger: Int64? {
    guard isBinary else { return ascii.flatMap { Int64($0) } }
    return unsafe value.count == 4 ? Int64(bigEndian) : nil
  }

  /// The Boolean as the number 1 or 0.
  var boolean: Int64? {
    guard unsafe value.count == 1, let byte = unsafe value.first else { return nil }
    return byte == (isBinary ? 1 : UInt8(ascii: "t")) ? 1 : 0
  }

  var real: Double? {
    guard isBinary else {
      return switch ascii {
      case "Infinity": .infinity
      case "-Infinity": -.infinity
      case "NaN": .nan
      case let text: text.flatMap { Double($0) }
      }
    }
    return switch unsafe value.count {
    case 8: Double(bitPattern: bigEndian)
    // The number with the fewest digits, as in the text format.
    case 4: Double("\(Float(bitPattern: UInt32(truncatingIfNeeded: bigEndian)))")
    default: nil
    }
  }

  var text: String? {
    let bytes = unsafe value.bindMemory(to: UInt8.self)
    // Decoding replaces invalid bytes, so that the result differs. Servers with the encoding SQL_ASCII do not check
    // text.
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    return unsafe text.hasBytes(bytes) ? text : nil
  }

  var bytes: Data? {
    guard !isBinary else { return unsafe Data(value) }
    guard unsafe value.starts(with: #"\x"#.utf8) else { return nil }
    return unsafe Data(hexadecimal: value.dropFirst(2))
  }

  /// The time in the form of `StoredDate`, or as the server writes it if that form cannot express it.
  var timestamp: String? {
    guard isBinary else { return text.map { StoredDate.canonicalText($0) ?? $0 } }
    guard unsafe value.count == 8 else { return nil }
    switch Int64(bitPattern: bigEndian) {
    case .max: return "infinity"
    case .min: return "-infinity"
    case let microseconds:
      return StoredDate.text(microsecondsSince2000: microseconds) ?? Self.text(microsecondsSince2000: microseconds)
    }
  }

  /// Returns the time as the server writes it in UTC, in any year.
  private static func text(microsecondsSince2000 microseconds: Int64) -> String {
    let dayLength = 86_400_000_000
    let time = (Int(microseconds) % dayLength + dayLength) % dayLength
    let days = (Int(microseconds) - time) / dayLength
    // The calendar repeats itself after 146,097 days, which are 400 years. Years are counted from the beginning of 1970.
    let day = GregorianDay(daysSince1970: days + 10_957 + 20 * 146_097)
    let year = day.year - 20 * 400
    var fraction = (time % 1_000_000).text(digits: 6)
    while fraction.last == "0" { fraction.removeLast() }
    let seconds = time / 1_000_000
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.text(digits: 2) }.joined(separator: ":")
    return """
      \((year > 0 ? year : 1 - year).text(digits: 4))-\(day.month.text(digits: 2))-\(day.day.text(digits: 2)) \(clock)\
      \(fraction.isEmpty ? "" : ".")\(fraction)+00\(year > 0 ? "" : " BC")
      """
  }

  var uuid: String? {
    guard isBinary else { return text?.uppercased() }
    guard unsafe value.count == 16 else { return nil }
    return unsafe UUID(uuid: value.loadUnaligned(as: uuid_t.self)).uuidString
  }

  /// The first eight bytes, or fewer, as a big-endian number.
  private var bigEndian: UInt64 {
    unsafe value.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private var ascii: String? {
    unsafe value.count <= 400 ? String(decoding: value, as: UTF8.self) : nil
  }
}
