#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// How a text is laid out.
  public enum OutputStyle: Hashable, Sendable {
    /// Without white space.
    case compact
    /// A member or element a line, each indented by so many spaces (0 to 16) more than what is around it; empty containers
    /// on one line. Lines end in LF, the last one in nothing.
    case pretty(indent: Int = 2)
  }

  /// The order in which an object's members are written.
  public enum OutputOrder: Hashable, Sendable {
    /// As in the document.
    case document
    /// By key, compared by Unicode scalars; those that share a key in the order of the document.
    case sortedKeys
  }

  /// The value as JSON text in UTF-8.
  ///
  /// Numbers are written as they were read, digit for digit. Strings have only those characters escaped that must be:
  /// quotation mark, backslash and control characters. Nothing is lost: what is parsed from the text equals the value.
  ///
  /// - Complexity: O(*n*), *n* the value's size; with sorted keys O(*n* log *m*), *m* the size of its largest object.
  /// - Source: RFC 8259.
  public func serialized(_ style: OutputStyle = .compact, order: OutputOrder = .document) -> [UInt8] {
    withSerialized(style, order) { $0.bytes() }
  }

  /// The value as JSON text in UTF-8: ``serialized(_:order:)`` as `Data`.
  public func serializedData(_ style: OutputStyle = .compact, order: OutputOrder = .document) -> Data {
    withSerialized(style, order) { $0.takeData() }
  }

  /// The value as JSON text: ``serialized(_:order:)`` as `String`.
  public func serializedText(_ style: OutputStyle = .compact, order: OutputOrder = .document) -> String {
    withSerialized(style, order) { $0.string() }
  }

  private func withSerialized<Result>(
    _ style: OutputStyle, _ order: OutputOrder, _ body: (OutputMemory) -> Result
  ) -> Result {
    let output = OutputMemory(capacity: 256)
    defer { output.deallocate() }
    let order: Traversal.Order = order == .document ? .document : .sorted(.scalars)
    // Numbers are only out of range where doubles are asked for.
    try? Serializer.write(self, style, order: order, numbers: .asWritten, to: output)
    return body(output)
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON text: `{"id":1}`, strings with their quotation marks.
  public var description: String { serializedText() }
}
