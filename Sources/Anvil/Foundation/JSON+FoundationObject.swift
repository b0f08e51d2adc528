import Foundation

extension JSON {
  /// The value that `object` stands for: what `JSONSerialization` gives and takes.
  ///
  /// Dictionaries with keys that are strings, arrays, strings, numbers, and `NSNull`, as Foundation's classes or Swift's
  /// types, and `nil` in an `Any`. Booleans and numbers are told apart by what they were made from: `NSNumber(value: 1)` is a
  /// number, `NSNumber(value: true)` is none. `NSDecimalNumber` keeps its digits. Members come in the dictionary's order.
  ///
  /// - Throws: ``JSONEncodingError`` with the path: for objects of other classes (`Date`, `URL`, `Data`), keys that are no
  ///   strings, numbers that are not finite, and more than 512 containers in each other, as in a container that holds itself
  ///   (which on Linux Foundation cannot look into: it overflows the stack).
  /// - Complexity: O(*n*), *n* the number of objects.
  public init(foundationObject object: Any) throws {
    var writer = FoundationObjectWriter(.strict)
    try self.init(writer.write(object))
  }

  /// The value as Foundation has it: `[String: Any]`, `[Any]`, `String`, `NSNumber` or `NSNull`, as `JSONSerialization` reads
  /// them.
  ///
  /// Of members that share a key, the first. Integers beyond 64 bits are `NSDecimalNumber`, which holds 38 digits; other
  /// numbers are doubles.
  ///
  /// - Throws: ``TypeMismatchError`` for a number beyond the range of doubles, and for more than 512 containers in each other,
  ///   which Foundation's types could not be released with.
  /// - Complexity: O(*n*), *n* the number of values.
  public var foundationObject: Any {
    get throws {
      var reader = FoundationObjectReader(self)
      return try reader.read()
    }
  }
}
