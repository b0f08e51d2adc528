public import AnvilJSON

/// An array that leaves out elements that do not decode, and reports them.
///
///     struct Page: Codable {
///       @LossyArray var users: [User]
///     }
///     page.$users.skippedCount
///
/// An element is left out for any error, however deeply nested, including `null` where the element type does not accept it.
/// A value that is not an array, `null`, and a missing key are errors as for a plain array, because missing data is different
/// from broken data. To accept null and a missing key, write `LossyArray<User>?` or, with
/// `@JSONCodable`, `@CodableDefault([]) @LossyArray`.
///
/// Skipped elements are reported with the code ``DecodingReport/Code/skippedElement``. Encodes as the plain array.
@propertyWrapper
public struct LossyArray<Element> {
  /// The decoded elements, in order.
  public var wrappedValue: [Element]
  /// The number of elements that were left out when the array was decoded.
  public private(set) var skippedCount = 0

  /// Creates an array of `elements`.
  public init(wrappedValue elements: [Element]) { wrappedValue = elements }

  @usableFromInline
  init(_ elements: [Element], skippedCount: Int) {
    wrappedValue = elements
    self.skippedCount = skippedCount
  }

  /// The wrapper itself, which gives access to ``skippedCount``.
  public var projectedValue: LossyArray { self }
}

extension LossyArray: Decodable where Element: Decodable {
  /// Decodes an array and leaves out invalid elements.
  ///
  /// - Throws: `DecodingError` for a value that is not an array.
  public init(from decoder: any Swift.Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var elements: [Element] = []
    var skippedCount = 0
    while !container.isAtEnd {
      // A container does not advance past an element that fails, so each is decoded as a type that never fails.
      let attempt = try container.decode(Attempt<Element, ElementPart>.self)
      if let element = attempt.value { elements.append(element) }
      if attempt.isSkipped { skippedCount += 1 }
    }
    self.init(elements, skippedCount: skippedCount)
  }
}

extension LossyArray: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension LossyArray: Equatable where Element: Equatable {
  /// Returns true if both arrays have the same elements, regardless of how many were left out.
  public static func == (left: LossyArray, right: LossyArray) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyArray: Hashable where Element: Hashable {
  /// Hashes the elements.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: ExpressibleByArrayLiteral {
  /// Creates an array of `elements`.
  public init(arrayLiteral elements: Element...) { self.init(wrappedValue: elements) }
}

/// A value of an array or a dictionary, or `nil` if it does not decode. Decoding an attempt never fails, so any decoder
/// continues with the next value.
struct Attempt<Value: Decodable, Part: SkippablePart>: Decodable {
  let value: Value?
  /// False for an open value that does not decode yet: what it lacks may arrive.
  let isSkipped: Bool

  init(from decoder: any Swift.Decoder) throws {
    do {
      // The value's initialiser is not called directly: the decoder's strategies would be ignored.
      value = try decoder.singleValueContainer().decode(Value.self)
      isSkipped = false
    } catch {
      value = nil
      isSkipped = !decoder.isAtOpenValue
      guard isSkipped, let report = decoder.report else { return }
      report.record(DecodingReport.Entry(Part.code, at: decoder.path, error: error))
    }
  }
}

/// The kind of container whose values are decoded as attempts.
protocol SkippablePart {
  /// The code that is reported for a failed attempt.
  static var code: DecodingReport.Code { get }
}

enum ElementPart: SkippablePart {
  static var code: DecodingReport.Code { .skippedElement }
}

enum MemberPart: SkippablePart {
  static var code: DecodingReport.Code { .skippedMember }
}

// Lenient types on the direct path, which reports nothing. A decoder with a report in its `userInfo` uses `init(from:)`
// instead.

extension LossyArray: JSONReadable where Element: JSONReadable & Decodable {
  /// Reads an array and leaves out invalid elements.
  ///
  /// - Throws: ``JSON/ReadingError`` for a value that is not an array.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> LossyArray {
    var elements: [Element] = []
    var skippedCount = 0
    guard try reader.beginArray() else { return LossyArray(wrappedValue: elements) }
    repeat {
      if let element = try reader.readIfValid(Element.self) { elements.append(element) } else { skippedCount += 1 }
    } while try reader.nextElement()
    return LossyArray(elements, skippedCount: skippedCount)
  }
}

extension LossyArray: JSONDecodable where Element: Decodable {}

extension LossyArray: JSONDirectlyDecodable where Element: JSONDirectlyDecodable {}

extension LossyArray: JSONWritable where Element: JSONWritable {
  /// Writes the elements as an array.
  @inlinable
  public func write(to writer: inout JSON.Writer) { wrappedValue.write(to: &writer) }
}

extension LossyArray: JSONDirectlyEncodable where Element: JSONDirectlyEncodable {}

extension LossyDictionary: JSONReadable where Value: JSONReadable & Decodable {
  /// Reads a dictionary and leaves out invalid members. If several members share a key, only the first one counts, even if it is invalid.
  ///
  /// - Throws: ``JSON/ReadingError`` for a value that is not an object.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> LossyDictionary {
    var members: [String: Value] = [:]
    var invalidKeys: Set<String> = []
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if members.index(forKey: key) != nil || invalidKeys.contains(key) {
        try reader.skip()
      } else if let value = try reader.readIfValid(Value.self) {
        members.updateValue(value, forKey: key)
      } else {
        invalidKeys.insert(key)
      }
      try reader.nextMember()
    }
    return LossyDictionary(members, skippedCount: invalidKeys.count)
  }
}

extension LossyDictionary: JSONDecodable where Value: Decodable {}

extension LossyDictionary: JSONDirectlyDecodable where Value: JSONDirectlyDecodable {}

extension LossyDictionary: JSONWritable where Value: JSONWritable {
  /// Writes the members as an object.
  public func write(to writer: inout JSON.Writer) { membersByName.write(to: &writer) }
}

extension LossyDictionary: JSONDirectlyEncodable where Value: JSONDirectlyEncodable {}

extension DefaultValue: JSONDecodable {}

extension DefaultValue: JSONReadable where Source.Value: JSONReadable {
  /// Reads the value, or returns the default for `null`.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> DefaultValue {
    guard try !reader.readNullIfPresent() else { return DefaultValue(wrappedValue: Source.defaultValue) }
    return DefaultValue(wrappedValue: try Source.Value.read(from: &reader))
  }
}

extension DefaultValue: JSONWritable where Source.Value: JSONWritable {
  /// Writes the value.
  @inlinable
  public func write(to writer: inout JSON.Writer) { wrappedValue.write(to: &writer) }
}

extension OpenEnum: JSONReadable where Known.RawValue: JSONReadable {}

extension OpenEnum: JSONWritable where Known.RawValue: JSONWritable {}
