import AnvilJSON
import Testing

/// What is lent for one call cannot be kept, or exchanged for what another call lends: the compiler refuses both for types
/// that cannot escape, and only for those.
@Suite struct EscapingTests {
  private static func isEscapable<Value: ~Copyable & ~Escapable>(_ type: Value.Type) -> Bool { false }
  /// The more special one, which the compiler chooses where it can.
  private static func isEscapable<Value: ~Copyable>(_ type: Value.Type) -> Bool { true }

  @Test func jsonValuesAreEscapable() {
    #expect(Self.isEscapable(JSON.self))
  }

  @Test func readersAreNotEscapable() {
    #expect(!Self.isEscapable(JSON.Reader.self))
  }

  /// With an exchange of `elements`, the end of an array was written to the text of another call.
  @Test func writersAreNotEscapable() {
    #expect(!Self.isEscapable(JSON.Writer.self))
    #expect(!Self.isEscapable(JSON.Writer.Elements.self))
    #expect(!Self.isEscapable(JSON.Writer.Members.self))
  }

  /// With an exchange, members were lost, and the end of a place trapped.
  @Test func buildersAreNotEscapable() {
    #expect(!Self.isEscapable(JSON.Builder.self))
  }
}
