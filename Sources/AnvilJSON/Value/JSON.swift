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
/// Two words that share the document: copying a value copies neither text nor tape, and any value keeps the whole of its
/// document alive. Values of a document know where they sit in it: ``path`` and ``root``.
public struct JSON: Sendable {
  @usableFromInline let document: Document
  /// The index of the value's first word.
  @usableFromInline let index: Int

  @inlinable
  init(_ document: Document, at index: Int = 0) {
    self.document = document
    self.index = index
  }

  /// The value that `data` spells, in UTF-8, UTF-16 or UTF-32.
  ///
  /// - Throws: ``SyntaxError``.
  /// - Complexity: O(*n*), *n* the number of bytes, which are copied once.
  public init(parsing data: Data, options: ParsingOptions = ParsingOptions()) throws(SyntaxError) {
    self.init(try Document.parse(data.bytes, options: options))
  }

  /// The value that `bytes` spell, in UTF-8, UTF-16 or UTF-32.
  ///
  /// - Throws: ``SyntaxError``.
  public init(parsing bytes: [UInt8], options: ParsingOptions = ParsingOptions()) throws(SyntaxError) {
    // Safety: `UInt8` has no padding, and the array outlives the call.
    self.init(try Document.parse(unsafe bytes.span.bytes, options: options))
  }

  /// The value that `text` spells.
  ///
  /// - Throws: ``SyntaxError``; offsets count the bytes of the text's UTF-8.
  public init(parsing text: String, options: ParsingOptions = ParsingOptions()) throws(SyntaxError) {
    let bytes = Array(text.utf8)
    // Safety: as above. It is known to be UTF-8, with whatever NULs it has.
    self.init(try Document.parse(unsafe bytes.span.bytes, options: options, in: .utf8))
  }

  @inline(__always) var word: TapeWord { document.tape[index] }
}

extension JSON {
  /// What a value is.
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

    /// The kind's name: `array`.
    public var description: String { rawValue }
  }

  /// What the value is.
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

  /// The member whose key is `key`, the first where there are several; `nil` when there is none or this is no object.
  ///
  /// A member that is `null` is a value: `json["key"] == nil` holds only where the member is missing.
  ///
  /// - Complexity: O(*n*), *n* the number of members.
  public subscript(key: String) -> JSON? {
    guard word.is(.object) else { return nil }
    return document.value(of: key, inObjectAt: index).map { JSON(document, at: $0) }
  }

  /// The element numbered `index` from 0; `nil` when there are not as many or this is no array.
  ///
  /// - Complexity: O(*n*), *n* the index: to read all elements, iterate over ``elements``.
  public subscript(index: Int) -> JSON? {
    guard word.is(.array) else { return nil }
    return document.element(index, ofArrayAt: self.index).map { JSON(document, at: $0) }
  }

  /// How many elements or members there are; 0 for what is no container.
  public var count: Int {
    word.isContainer ? document.count(ofContainerAt: index) : 0
  }
}
