#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Conversions between the spellings of keys.
enum KeyConversion {
  /// Whether a key has an underscore: without one, both spellings are the same.
  static func mayConvert(_ key: String) -> Bool { key.utf8.contains(0x5F) }

  /// `one_two_three` as `oneTwoThree`; underscores at the beginning and end stay, and so does a key without any between.
  static func fromSnakeCase(_ key: String) -> String {
    let leading = key.prefix { $0 == "_" }
    guard leading.endIndex != key.endIndex else { return key }
    let trailing = key.reversed().prefix { $0 == "_" }.count
    let middle = key[leading.endIndex..<key.index(key.endIndex, offsetBy: -trailing)]
    let words = middle.split(separator: "_")
    guard words.count > 1, let first = words.first else { return key }
    // As Foundation has it: `2x` is `2X`, for what is capitalised is the first letter.
    let rest = words.dropFirst().map(\.capitalized)
    return leading + first.lowercased() + rest.joined() + String(repeating: "_", count: trailing)
  }
}

/// A key or an index on a coding path.
struct DecodingKey: CodingKey, Hashable {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }
}
