import Foundation

extension JSON {
  /// Creates the JSON value of `object`, which is an object as `JSONSerialization` reads and writes them.
  ///
  /// The supported objects are dictionaries with string keys, arrays, strings, numbers, and `NSNull`, as Foundation classes or Swift
  /// types, and `nil` in an `Any`. Booleans and numbers are distinguished by the type that they were created from: `NSNumber(value: 1)`
  /// is a number, `NSNumber(value: true)` is a Boolean. `NSDecimalNumber` keeps its digits. Members have the dictionary's order.
  ///
  /// - Throws: ``JSON/WritingError`` with the path: for objects of other classes (`Date`, `URL`, `Data`), keys that are not strings,
  ///   numbers that are not finite, and more than 512 nested containers. A container that contains itself exceeds this limit. On Linux, it
  ///   cannot be passed to Foundation at all, because that overflows the stack.
  /// - Complexity: O(*n*), where *n* is the number of objects.
  public init(foundationObject object: Any) throws {
    var writer = FoundationObjectWriter(.strict)
    try self.init(writer.write(object))
  }

  /// The value as a Foundation object: `[String: Any]`, `[Any]`, `String`, `NSNumber` or `NSNull`, as `JSONSerialization` reads them.
  ///
  /// The first of several members with the same key is kept. Integers that fit into 64 bits remain integers. Larger ones are
  /// `NSDecimalNumber`, which holds 38 digits. All other numbers are doubles.
  ///
  /// - Throws: ``TypeMismatchError`` for a number beyond the range of doubles, and for more than 512 nested containers, which
  ///   Foundation's types cannot release safely.
  /// - Complexity: O(*n*), where *n* is the number of values.
  public var foundationObject: Any {
    get throws {
      var reader = FoundationObjectReader(self)
      return try reader.read()
    }
  }
}
