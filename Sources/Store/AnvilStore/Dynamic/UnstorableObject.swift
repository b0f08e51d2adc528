internal import AnvilBase

/// The error of a value that cannot be stored as a row, with its index in the list and the reason.
package struct UnstorableObject: Error, Hashable {
  /// The index in the list, counted from 0; `nil` for a single object.
  package let index: Int?
  /// The reason, which contains names but no values: `no key id; keys here: a, b`.
  package let reason: String

  /// The reason, without the index of the object.
  struct Reason: Error {
    let text: String

    init(_ text: String) {
      self.text = text
    }
  }

  init(index: Int?, _ reason: Reason) {
    self.index = index
    self.reason = reason.text
  }
}

extension String {
  /// The name, ``printable`` and cut off to a length that is suitable for messages.
  var shortName: String { printable(limit: 40) }
}
