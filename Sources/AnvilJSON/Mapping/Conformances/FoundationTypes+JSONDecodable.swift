#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: JSONDecodable {
  /// Returns the URL in the string, parsed by `URL(string:)`.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not a URL.
  public static func decode(_ json: JSON) throws -> URL {
    guard json.word.isString, let value = URL(string: json.document.string(at: json.index)) else {
      throw json.mismatch(URL.self)
    }
    return value
  }
}

extension UUID: JSONDecodable {
  /// Returns the UUID in the string, in upper or lower case.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not a UUID.
  public static func decode(_ json: JSON) throws -> UUID {
    guard json.word.isString, let value = UUID(uuidString: json.document.string(at: json.index)) else {
      throw json.mismatch(UUID.self)
    }
    return value
  }
}

extension Data: JSONDecodable {
  /// Returns the bytes of the string in padded base64 without line breaks. Source: RFC 4648 §4.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not base64.
  public static func decode(_ json: JSON) throws -> Data {
    guard json.word.isString, let value = Data(base64Encoded: json.document.string(at: json.index)) else {
      throw json.mismatch(Data.self)
    }
    return value
  }
}

extension Date: JSONDecodable {
  /// Returns the date of the string in the format of RFC 3339, such as `2026-02-03T04:05:06Z`, with or without a fraction of the
  /// second and in any time zone. Two variants that ISO 8601 allows are accepted as well: a comma before the fraction and a time zone
  /// without a colon. For other formats, see ``JSON/DateFormat``.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not such a date.
  public static func decode(_ json: JSON) throws -> Date {
    guard json.word.isString, let seconds = json.document.secondsOfDate(at: json.index) else {
      throw json.mismatch(Date.self)
    }
    return Date(timeIntervalSince1970: seconds)
  }
}
