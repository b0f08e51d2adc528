package import AnvilJSON

/// A problem with a value or a text, with all known details. A ``JSON/Diagnosis`` is created from faults.
///
/// A fault identifies its value by a path and has no line numbers. ``JSON/Diagnosis/Problem`` is the fault after it was
/// located in the text: with its line, the excerpt, the value that was found, and hints. Users see problems only.
package struct Fault: Sendable {
  /// The kind of the fault.
  package var code: JSON.Diagnosis.Code
  /// The path from the root to the wrong value, or to the container that lacks something. It uses the text's own keys, before
  /// any strategy has converted them.
  package var steps: [JSON.Step]
  /// The missing key, as the text would have to spell it, or the missing index, in the container at the end of ``steps``.
  package var missing: JSON.Step?
  /// The expected value: the name of a Swift type from ``TypeName``, `Date`, or a few words, `a number of at least 3`.
  package var expected: String?
  /// The kinds of JSON value that would have been accepted; empty if they are not known.
  package var kinds: [JSON.Kind] = []
  /// The model that has ``property``, as named by ``TypeName``: `User.Address`.
  package var model: String?
  /// The property of ``model``, by its name in Swift: `createdAt` for the key `created_at`.
  package var property: String?
  /// The reason why a value was rejected, in the words of the code that rejected it. It may quote the value, and is therefore
  /// shown only where values are.
  package var reason: String?
  /// The decoder's strategies that affected the fault: `dateDecodingStrategy = .iso8601`.
  package var strategies: [String] = []
  /// The accepted values if there are few, as text without quotation marks, such as an enumeration's raw values.
  package var choices: [String] = []
  /// A short description of the value that was found, without the value itself, if its kind does not suffice: `number with a fraction`.
  package var detail: String?
  /// The other values that have the same fault, in words: `$[4].id, $[9].id and 3 more`.
  package var elsewhere: String?
  /// The step of the error's path that follows ``steps`` but does not exist in the text. If it is set, the text does not contain the wrong
  /// value.
  package var nonexistentStep: JSON.Step?
  /// The keys that the model reads, including ``missing``, as the text would have to spell them; empty if they are not known.
  package var modelKeys: [String] = []
  /// The description of the object that was found in place of the model, if that object lacks all of ``modelKeys``.
  var substitute: Substitute?
  /// The offset at which the text itself is broken. If it is set, ``steps`` are derived from it.
  package var offset: Int?

  /// Creates a fault of kind `code`. `steps` is the path to the wrong value, or to the container that lacks something.
  @inline(never)
  package init(_ code: JSON.Diagnosis.Code, at steps: [JSON.Step], missing: JSON.Step? = nil, expected: String? = nil) {
    self.code = code
    self.steps = steps
    self.missing = missing
    self.expected = expected
  }
}
