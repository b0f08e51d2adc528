/// Where the text of one double after the other is made.
final class DigitMemory {
  private let output = OutputMemory(capacity: 128)

  deinit { output.deallocate() }

  /// What `body` makes of the text of `value`, which is finite: as ``ECMAScriptNumber`` has it.
  func withText(of value: Double, _ body: (Span<UInt8>) -> Void) {
    output.truncate(to: 0)
    output.append(ecmaScript: value)
    output.withText(body)
  }
}
