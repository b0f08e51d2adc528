/// A string that is compared by Unicode scalars, as JSON keys are. `String` considers `é` equal to `e` with a combining accent.
package struct ScalarKey: Hashable, Sendable {
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package static func == (left: ScalarKey, right: ScalarKey) -> Bool {
    left.string.utf8.count == right.string.utf8.count && left.string.utf8.elementsEqual(right.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var string = string
    // Safety: the buffer is used only during the call.
    string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
