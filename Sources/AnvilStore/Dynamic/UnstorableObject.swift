/// A value that cannot become a row: which one of a list, and why.
package struct UnstorableObject: Error, Hashable {
  /// The place in the list, counted from 0; `nil` for a single object.
  package let index: Int?
  /// Why, in words that hold names and no values: `no member "id"; members here: a, b`.
  package let reason: String

  /// What is said where nobody knows which object it is.
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
  /// As much of a name as a message should hold.
  var shortName: String { count > 40 ? prefix(40) + "…" : self }
}
