import AnvilJSON
import Testing

/// Values that are borrowed for one call cannot be kept or swapped with those of another call. The compiler rejects
/// both for nonescapable types only.
@Suite struct EscapingTests {
  private static func isEscapable<Value: ~Copyable & ~Escapable>(_ type: Value.Type) -> Bool { false }
  /// The more specific overload, which the compiler prefers.
  private static func isEscapable<Value: ~Copyable>(_ type: Value.Type) -> Bool { true }

  @Test func jsonValuesAreEscapable() {
    #expect(Self.isEscapable(JSON.self))
  }

  @Test func readersAreNotEscapable() {
    #expect(!Self.isEscapable(JSON.Reader.self))
  }

  /// If `elements` could be swapped, the end of an array would be written to the text of another call.
  @Test func writersAreNotEscapable() {
    #expect(!Self.isEscapable(JSON.Writer.self))
    #expect(!Self.isEscapable(JSON.Writer.Elements.self))
    #expect(!Self.isEscapable(JSON.Writer.Members.self))
  }
}
