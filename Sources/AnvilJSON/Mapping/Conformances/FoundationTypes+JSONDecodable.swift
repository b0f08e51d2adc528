#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: JSONDecodable {
  /// The URL that the string spells, as `URL(string:)` reads it.
  ///
  /// - Throws: ``TypeMismatchError``, also for strings that are no URL.
  public static func decode(_ json: JSON) throws -> URL {
    guard json.word.isString, let value = URL(string: json.document.string(at: json.index)) else {
      throw json.mismatch(URL.self)
    }
    return value
  }
}

extension UUID: JSONDecodable {
  /// The UUID that the string spells, in letters of either case.
  ///
  /// - Throws: ``TypeMismatchError``, also for strings that are no UUID.
  public static func decode(_ json: JSON) throws -> UUID {
    guard json.word.isString, let value = UUID(uuidString: json.document.string(at: json.index)) else {
      throw json.mismatch(UUID.self)
    }
    return value
  }
}

extension Data: JSONDecodable {
  /// The bytes that the string holds in base64, padded, without line ends. Source: RFC 4648 §4.
  ///
  /// - Throws: ``TypeMismatchError``, also for strings that are no base64.
  public static func decode(_ json: JSON) throws -> Data {
    guard json.word.isString, let value = Data(base64Encoded: json.document.string(at: json.index)) else {
      throw json.mismatch(Data.self)
    }
    return value
  }
}

extension Date: JSONDecodable {
  /// The moment that the string spells as RFC 3339 writes it, `2026-02-03T04:05:06Z`, with or without a fraction of the
  /// second, in any time zone. What ISO 8601 allows as well is read too: a comma before the fraction, a zone without its
  /// colon. ``JSON/DateFormat`` has other forms.
  ///
  /// - Throws: ``TypeMismatchError``, also for strings that are no such date.
  public static func decode(_ json: JSON) throws -> Date {
    guard json.word.isString, let seconds = json.document.secondsOfDate(at: json.index) else {
      throw json.mismatch(Date.self)
    }
    return Date(timeIntervalSince1970: seconds)
  }
}
