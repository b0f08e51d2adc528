public import AnvilBase

extension JSON {
  /// Reads a value of `type` in one pass from `data`, a JSON text in UTF-8, UTF-16 or UTF-32.
  ///
  ///     let owner = try JSON.read(Owner.self, from: data)
  ///
  /// A text in JSON5, or with the members of an object without its braces, is first converted to JSON. In the converted text, infinities
  /// and NaN are `null`. The offsets of errors then refer to the converted text, except those of syntax errors.
  ///
  /// - Throws: ``ReadingError``, also for text that ``init(parsing:options:)-(Data,_)`` rejects.
  /// - Complexity: O(*n*), where *n* is the number of bytes, which are copied once. Types that contain themselves are read
  ///   recursively, up to the nesting depth that the options allow.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from data: Data, options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    try read(type, from: data.bytes, options, dates: .rfc3339)
  }

  /// Reads a value of `type` in one pass from `bytes`, a JSON text in UTF-8, UTF-16 or UTF-32.
  ///
  /// - Throws: ``ReadingError`` if `bytes` are not JSON or do not represent a `Value`.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from bytes: [UInt8], options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    // Safety: `UInt8` has no padding, and the array outlives the call.
    try read(type, from: unsafe bytes.elementSpan.bytes, options, dates: .rfc3339)
  }

  /// Reads a value of `type` in one pass from `text`.
  ///
  /// - Throws: ``ReadingError`` if `text` is not JSON or does not represent a `Value`. Its offsets count the bytes of the text's UTF-8.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from text: String, options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    let bytes = Array(text.utf8)
    // Safety: as above.
    return try read(type, fromUTF8: unsafe bytes.elementSpan.bytes, mayHaveMark: true, options)
  }

  @inlinable
  static func read<Value: JSONReadable>(
    _ type: Value.Type, from bytes: RawSpan, _ options: ParsingOptions, dates: DateForm
  ) throws(ReadingError) -> Value {
    guard let utf8 = try utf8(of: bytes, options) else {
      return try read(type, fromUTF8: bytes, mayHaveMark: true, options, dates: dates)
    }
    do throws(ReadingError) {
      // Safety: as above.
      return try read(type, fromUTF8: unsafe utf8.elementSpan.bytes, mayHaveMark: false, options, dates: dates)
    } catch {
      throw error.located(in: bytes)
    }
  }

  @inlinable
  static func read<Value: JSONReadable>(
    _ type: Value.Type, fromUTF8 bytes: RawSpan, mayHaveMark: Bool, _ options: ParsingOptions,
    dates: DateForm = .rfc3339
  ) throws(ReadingError) -> Value {
    if let plain = try plainText(of: bytes, mayHaveMark: mayHaveMark, options) {
      // Safety: as above.
      return try read(
        type, fromUTF8: unsafe plain.elementSpan.bytes, mayHaveMark: false, ParsingOptions(depthLimit: .max),
        dates: dates)
    }
    var reader = Reader(
      bytes, from: mayHaveMark ? markLength(of: bytes) : 0, depthLimit: options.depthLimit, dates: dates)
    try reader.start(options)
    let value = try Value.read(from: &reader)
    try reader.finish()
    return value
  }

  /// Returns the length of the UTF-8 byte-order mark at the beginning of `bytes`; 0 if `bytes` do not begin with a mark.
  @usableFromInline
  static func markLength(of bytes: RawSpan) -> Int { TextEncoding.hasUTF8Mark(bytes) ? 3 : 0 }

  /// Converts a text to JSON if the options permit JSON5 or members without braces, which the reader does not support. Otherwise returns
  /// `nil`.
  ///
  /// - Throws: ``ReadingError`` if the options do not permit the text, or if it exceeds their limits.
  @usableFromInline
  static func plainText(
    of bytes: RawSpan, mayHaveMark: Bool, _ options: ParsingOptions
  ) throws(ReadingError) -> [UInt8]? {
    let limit = options.effectiveSizeLimit
    guard bytes.byteCount <= limit else { throw ReadingError(.syntax(.tooLarge(limit: limit)), at: limit, in: bytes) }
    guard options.syntax != .json || options.root == .members else { return nil }
    do throws(SyntaxError) {
      let json = JSON(try Document.parse(bytes, options: options, in: mayHaveMark ? .utf8 : .utf8WithoutMark))
      return json.serialized()
    } catch {
      throw ReadingError(.syntax(error.code), at: error.offset, in: bytes)
    }
  }

  /// Returns `bytes` in UTF-8 if they are in another encoding; `nil` if they are in UTF-8.
  ///
  /// - Throws: ``ReadingError`` if the bytes exceed the limits of the options.
  @usableFromInline
  static func utf8(of bytes: RawSpan, _ options: ParsingOptions) throws(ReadingError) -> [UInt8]? {
    let limit = options.effectiveSizeLimit
    guard bytes.byteCount <= limit else { throw ReadingError(.syntax(.tooLarge(limit: limit)), at: limit, in: bytes) }
    return TextEncoding(of: bytes)?.transcoded(bytes)
  }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
  /// Reads the value; returns `nil` for `null`.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Wrapped? {
    guard reader.isAtNull else { return try Wrapped.read(from: &reader) }
    try reader.readNull()
    return nil
  }

  /// Reads the value of a member, or `nil` for `null`, and moves to the next member.
  ///
  /// - Throws: ``JSON/ReadingError``.
  @inlinable @inline(never)
  public static func _readMember(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Wrapped? {
    guard reader.isAtNull else { return try Wrapped._readMember(from: &reader) }
    try reader.readNull()
    try reader.nextMember()
    return nil
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  /// Reads the elements in order.
  ///
  /// - Throws: ``JSON/ReadingError`` if the value is not an array or an element cannot be read.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> [Element] {
    var elements: [Element] = []
    guard try reader.beginArray() else { return elements }
    // Reserve memory for a few elements at once, instead of growing from one.
    let stride = MemoryLayout<Element>.stride
    if stride <= 64 { elements.reserveCapacity(stride <= 16 ? 4 : 2) }
    repeat {
      elements.append(try Element.read(from: &reader))
    } while try reader.nextElement()
    return elements
  }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
  /// Reads the members. If several members share a key, only the first is used. Keys are compared as Swift strings: `é` as one scalar
  /// equals `é` as two.
  ///
  /// - Throws: ``JSON/ReadingError`` if the value is not an object or a member cannot be read.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> [String: Value] {
    var values: [String: Value] = [:]
    try reader.beginObject()
    while let key = try reader.nextKey() {
      let (start, depth) = (reader.scanner.at, reader.depth)
      do throws(JSON.ReadingError) {
        let value = try Value.read(from: &reader)
        if let first = values.updateValue(value, forKey: key) { values[key] = first }
      } catch {
        guard values.index(forKey: key) != nil else { throw error }
        try reader.skip(from: start, depth: depth)
      }
      try reader.nextMember()
    }
    return values
  }
}

/// A type that reads itself from a JSON text in one pass, directly into its properties.
///
///     struct Owner: JSONReadable {
///       var login: String
///       var id: Int
///       var company: String?
///
///       static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Owner {
///         var login: String?
///         var id: Int?
///         var company: String??
///         try reader.beginObject()
///         repeat {
///           try reader.read("login", into: &login)
///           try reader.read("id", into: &id)
///           try reader.read("company", into: &company)
///         } while try reader.hasMoreMembers()
///         return try Owner(
///           login: reader.require(login, "login"), id: reader.require(id, "id"), company: company ?? nil)
///       }
///     }
///
/// Each variable is an optional of the property's type, even if that type is itself optional: `nil` means that the
/// member has not been read yet. Trying the keys in the order of the text is fastest, but the members may be in any order.
///
/// `RawRepresentable` types with a readable raw value only have to declare the conformance.
public protocol JSONReadable {
  /// Reads the value at the position of `reader`, and leaves the reader after it.
  ///
  /// - Throws: ``JSON/ReadingError``. Use ``JSON/Reader/dataCorrupted(_:at:)`` to create one for a value that the type rejects.
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self

  /// Reads the value of a member, and moves to the next member. The default implementation calls ``read(from:)`` and
  /// ``JSON/Reader/nextMember()``.
  ///
  /// - Throws: ``JSON/ReadingError``.
  static func _readMember(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self
}

extension JSONReadable {
  // Not inlined, so that a type has one call and one error to handle for each member, and a module one function for each type of a member.
  // With two inlined calls, a release build took a quarter longer for the functions that read models.

  /// Reads the value of a member with ``read(from:)``, and moves to the next member.
  ///
  /// - Throws: ``JSON/ReadingError``.
  @inlinable @inline(never)
  public static func _readMember(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    let value = try read(from: &reader)
    try reader.nextMember()
    return value
  }
}

extension JSONReadable where Self: RawRepresentable, RawValue: JSONReadable {
  /// Reads a raw value and returns the value for it.
  ///
  /// - Throws: ``JSON/ReadingError``, also if no value has the raw value.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    let offset = reader.offset
    guard let value = Self(rawValue: try RawValue.read(from: &reader)) else {
      throw reader.noValue(of: Self.self, at: offset)
    }
    return value
  }
}

/// A `Decodable` type that ``JSON/Decoder`` reads with ``JSONReadable/read(from:)`` instead of `init(from:)`, because that is faster.
///
/// Both must accept the same texts and return equal values. `@JSONDecodable` writes both, and the conformance. `=>` decodes such a type with
/// `init(from:)`.
///
/// The decoder calls `init(from:)` instead if one of its strategies does not apply to `read(from:)`. It also calls `init(from:)` if
/// `read(from:)` throws, so that errors are those of `init(from:)`. A conformance cannot be isolated to an actor, because the decoder uses
/// it on any thread.
public protocol JSONDirectlyDecodable: Decodable, JSONReadable, JSONDecodable, SendableMetatype {
  /// The other keys from which a member is read if its key is missing, by the key of the member.
  static var _keyAliases: [String: [String]] { get }
}

extension JSONDirectlyDecodable {
  /// No other keys.
  public static var _keyAliases: [String: [String]] { [:] }
}

/// An `Encodable` type that ``JSON/Encoder`` writes with ``JSONWritable/write(to:)`` instead of `encode(to:)`, because that is faster.
///
/// Both must write the same text. `@JSONEncodable` writes both, and the conformance.
///
/// The encoder calls `encode(to:)` instead if one of its strategies does not apply to `write(to:)`. It also calls `encode(to:)` if writing
/// fails, so that errors are those of `encode(to:)`. A conformance cannot be isolated to an actor, because the encoder uses it on any
/// thread.
public protocol JSONDirectlyEncodable: Encodable, JSONWritable, SendableMetatype {}

extension Optional: JSONDirectlyDecodable where Wrapped: JSONDirectlyDecodable {}
extension Array: JSONDirectlyDecodable where Element: JSONDirectlyDecodable {}
extension Dictionary: JSONDirectlyDecodable where Key == String, Value: JSONDirectlyDecodable {}

extension Optional: JSONDirectlyEncodable where Wrapped: JSONDirectlyEncodable {}
extension Array: JSONDirectlyEncodable where Element: JSONDirectlyEncodable {}
extension Dictionary: JSONDirectlyEncodable where Key == String, Value: JSONDirectlyEncodable {}
