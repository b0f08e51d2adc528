import Foundation

/// Texts with objects of many members.
enum KeyedText {
  /// A single object.
  static func flat(_ count: Int) -> Data { Data(object(count).utf8) }

  /// An object of objects.
  static func nested(_ children: Int, of count: Int) -> Data {
    let child = object(count)
    return Data("{\((0..<children).map { "\"child_\($0)\":\(child)" }.joined(separator: ","))}".utf8)
  }

  /// An array of objects with the ten members of ``Small``.
  static func small(_ count: Int) -> Data {
    let object =
      #"{"a":1,"bc":2,"def":3,"ghij":4,"klmno":5,"pqrstu":6,"vwxyzab":7,"cdefghij":8,"klmnopqrs":9,"tuvwxyzabc":10}"#
    return Data("[\(Array(repeating: object, count: count).joined(separator: ","))]".utf8)
  }

  private static func object(_ count: Int) -> String {
    "{\((0..<count).map { "\"key_\($0)\":\($0)" }.joined(separator: ","))}"
  }
}
