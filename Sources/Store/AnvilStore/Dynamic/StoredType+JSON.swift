package import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Conversion of JSON values to column values.
extension StoredType {
  /// Returns the value in the form of a column of this type, or `nil` if the column cannot store it.
  ///
  /// In a column of text, numbers and Booleans are stored as their JSON text. Dates must be text in the format of RFC
  /// 3339, because a number has no defined starting point. Decimals may also be text, and bytes are base64.
  package func value(of json: JSON) -> StoreValue? {
    if json.isNull { return .null }
    switch self {
    case .integer: return json.integer(as: Int64.self).map(StoreValue.integer)
    case .real: return json.double.flatMap { $0.isFinite ? try? $0.stored : nil }
    case .boolean: return json.bool.map { .integer($0 ? 1 : 0) }
    case .text: return (json.string ?? json.numberText ?? json.bool.map { "\($0)" }).map(StoreValue.text)
    case .json: return .text(json.serializedText(.compact, order: .sortedKeys))
    case .timestamp: return json.kind == .string ? try? Date.decode(json).stored : nil
    case .date: return json.kind == .string ? try? Date.decode(json).storedNumber : nil
    case .data: return json.string.flatMap { Data(base64Encoded: $0) }.map(StoreValue.blob)
    case .uuid: return json.string.flatMap { UUID(uuidString: $0) }?.stored
    case .url: return json.string.flatMap { URL(string: $0) }?.stored
    case .decimal: return Self.decimal(json)
    }
  }

  /// Returns the digits of a number, or `nil` if it has more digits than a decimal can have.
  private static func decimal(_ json: JSON) -> StoreValue? {
    let number = json.string.map { try? JSON(parsing: $0) } ?? json
    guard let number, let decimal = number.decimal, let value = try? decimal.stored, case .text(let text) = value,
      (try? JSON(parsing: text)) == number
    else { return nil }
    return value
  }
}

/// Conversion of column values to other column types.
extension StoredType {
  /// Converts a value of this type to the equivalent value for a column of `type`. Returns `nil` if no value is equivalent.
  ///
  /// Numbers become text with the fewest digits that reproduce them exactly.
  func widened(_ value: StoreValue, to type: StoredType) -> StoreValue? {
    switch (value, type) {
    case (.null, _): return .null
    case (.integer(let integer), .real):
      return self == .integer && integer.magnitude <= ObservedKinds.largestExactInteger ? .real(Double(integer)) : nil
    case (.real, .real): return value
    case (_, .text): return plainText(of: value).map(StoreValue.text)
    case (.text(let text), .json):
      return (try? JSON.Encoder().encode(text)).map { .text(String(decoding: $0, as: UTF8.self)) }
    case (.real(let real), .json) where !real.isFinite: return nil
    case (_, .json): return plainText(of: value).map(StoreValue.text)
    default: return nil
    }
  }

  private func plainText(of value: StoreValue) -> String? {
    switch value {
    case .integer(let integer):
      guard self == .boolean else { return "\(integer)" }
      return integer == 0 ? "false" : integer == 1 ? "true" : nil
    case .real(let real):
      let text = "\(real)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .text(let text): return text
    case .null, .blob: return nil
    }
  }
}
