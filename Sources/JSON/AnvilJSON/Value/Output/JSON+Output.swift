#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// The layout of a JSON text.
  public enum OutputStyle: Hashable, Sendable {
    /// The text contains no white space.
    case compact
    /// Each member or element is on a separate line, indented by `indent` spaces (0 to 16) more than its container. Empty containers are on
    /// one line. Lines end in LF, except the last one.
    case pretty(indent: Int = 2)
  }

  /// The order in which an object's members are written.
  public enum OutputOrder: Hashable, Sendable {
    /// The order of the document.
    case document
    /// The order of the keys, which are compared by Unicode scalars. Members that share a key keep the order of the
    /// document.
    case sortedKeys
  }

  /// Returns the value as JSON text in UTF-8.
  ///
  /// Numbers are written as they were read, digit for digit. In strings only the characters that must be escaped are escaped: quotation
  /// mark, backslash and control characters. The text can be parsed again to an equal value, unless the value contains an infinity or NaN
  /// of a JSON5 text: they are written as `null`.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the value. With sorted keys O(*n* log *m*), where *m* is that of its largest object.
  /// - Source: RFC 8259.
  public func serialized(_ style: OutputStyle = .compact, order: OutputOrder = .document) -> [UInt8] {
    withSerialized(style, order) { $0.bytes() }
  }

  /// Returns the value as JSON text in UTF-8, as `Data`. See ``serialized(_:order:)``.
  public func serializedData(_ style: OutputStyle = .compact, order: OutputOrder = .document) -> Data {
    withSerialized(style, order) { $0.takeData() }
  }

  /// Returns the value as JSON text, as `String`. See ``serialized(_:order:)``.
  public func serializedText(_ style: OutputStyle = .compact, order: OutputOrder = .document) -> String {
    withSerialized(style, order) { $0.string() }
  }

  private func withSerialized<Result>(
    _ style: OutputStyle, _ order: OutputOrder, _ body: (OutputMemory) -> Result
  ) -> Result {
    let output = OutputMemory(capacity: 256)
    defer { output.deallocate() }
    let order: Traversal.Order = order == .document ? .document : .sorted(.scalars)
    // Numbers can be out of range only if doubles are requested.
    try? Serializer.write(self, style, order: order, numbers: .asWritten, to: output)
    return body(output)
  }
}

extension JSON {
  /// The value as compact JSON text, such as `{"id":1}`. Strings have quotation marks.
  public var description: String { serializedText() }
}
