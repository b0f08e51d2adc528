/// Reusable memory for the text of a double.
final class DigitMemory {
  private let output = OutputMemory(capacity: 128)

  deinit { output.deallocate() }

  /// Calls `body` with the text of `value`, which must be finite, in the format of ``ECMAScriptNumber``.
  func withText(of value: Double, _ body: (Span<UInt8>) -> Void) {
    output.truncate(to: 0)
    output.append(ecmaScript: value)
    output.withText(body)
  }
}
