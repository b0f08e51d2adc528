/// The encodings other than UTF-8 in which texts are also tested.
enum OtherEncoding: CaseIterable {
  case utf16LittleEndian, utf16BigEndian, utf32LittleEndian, utf32BigEndian

  /// Returns `text` in this encoding, with an optional byte-order mark.
  func bytes(of text: String, hasMark: Bool) -> [UInt8] {
    let text = (hasMark ? "\u{FEFF}" : "") + text
    return switch self {
    case .utf16LittleEndian: text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    case .utf32LittleEndian: text.unicodeScalars.flatMap { Self.bytes(of: $0.value) }
    case .utf32BigEndian: text.unicodeScalars.flatMap { Self.bytes(of: $0.value).reversed() }
    }
  }

  private static func bytes(of value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
