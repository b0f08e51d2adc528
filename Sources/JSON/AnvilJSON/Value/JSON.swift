#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A JSON value: an immutable view into a parsed document.
///
///     let json = try JSON(parsing: data)
///     json["owner"]?["login"]?.string
///
/// A value is a reference to the document and an index. Copying a value copies neither text nor tape, and any value keeps the whole
/// of its document alive. The location of a value in its document is available as ``path`` and ``root``.
public struct JSON: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline let document: Document
  /// The index of the value's first word.
  @usableFromInline let index: Int

  @inlinable
  init(_ document: Document, at index: Int = 0) {
    self.document = document
    self.index = index
  }

  /// Parses `data`, a JSON text in UTF-8, UTF-16 or UTF-32.
  ///
  /// - Throws: ``SyntaxError`` if `data` is not JSON.
  /// - Complexity: O(*n*), where *n* is the number of bytes, which are copied once.
  public init(parsing data: Data, options: ParsingOptions = ParsingOptions()) throws(SyntaxError) {
    self.init(try Document.parse(data.bytes, options: options))
  }

  /// Parses `bytes`, a JSON text in UTF-8, UTF-16 or UTF-32.
  ///
  /// - Throws: ``SyntaxError`` if `bytes` are not JSON.
  public init(parsing bytes: [UInt8], options: ParsingOptions = ParsingOptions()) throws(SyntaxError) {
    // Safety: `UInt8` has no padding, and the array outlives the call.
    self.init(try Document.parse(unsafe bytes.elementSpan.bytes, options: options))
  }

  /// Parses `text`.
  ///
  /// - Throws: ``SyntaxError`` if `text` is not JSON; its offsets count the bytes of the text's UTF-8.
  public init(parsing text: String, options: ParsingOptions = ParsingOptions()) throws(SyntaxError) {
    let bytes = Array(text.utf8)
    // Safety: as above. The encoding is given because it is UTF-8 even if the text contains NULs.
    self.init(try Document.parse(unsafe bytes.elementSpan.bytes, options: options, in: .utf8))
  }

  @inline(__always) var word: TapeWord { document.tape[index] }
}

extension JSON {
  /// The kind of a value.
  public enum Kind: String, Hashable, Sendable, CustomStringConvertible {
    /// `null`
    case null
    /// `true` or `false`
    case bool
    /// A number, whole or not.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object

    /// The name of the kind, such as `array`.
    public var description: String { rawValue }
  }

  /// The kind of the value.
  public var kind: Kind {
    switch word.kind {
    case .null: .null
    case .false, .true: .bool
    case .integer, .double, .signed, .unsigned: .number
    case .string, .longString: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Accesses the value of the first member with the key `key`; `nil` if there is no such member or the value is not an object.
  ///
  /// A member that is `null` is a value: `json["key"] == nil` is true only if the member is missing.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public subscript(key: String) -> JSON? {
    guard word.is(.object) else { return nil }
    return document.value(of: key, inObjectAt: index).map { JSON(document, at: $0) }
  }

  /// Accesses the element at `index`, counted from 0; `nil` if the array has no such element or the value is not an array.
  ///
  /// - Complexity: O(*n*), where *n* is the index. To read all elements, iterate over ``elements``.
  public subscript(index: Int) -> JSON? {
    guard word.is(.array) else { return nil }
    return document.element(index, ofArrayAt: self.index).map { JSON(document, at: $0) }
  }

  /// The number of elements or members; 0 if the value is not a container.
  public var count: Int {
    word.isContainer ? document.count(ofContainerAt: index) : 0
  }
}
