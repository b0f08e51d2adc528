/// One problem as whoever finds it says it, before it is looked up in the text: what a ``JSON/Diagnosis`` is made from.
package struct Fault: Sendable {
  /// What kind of problem it is.
  package var code: JSON.Diagnosis.Code
  /// The way from the root to the value that is wrong, or to the container in which something is missing, in the text's
  /// own keys: before any strategy has converted them.
  package var steps: [JSON.Step]
  /// The key, as the text would have to spell it, or the index that the container at the end of ``steps`` does not have.
  package var missing: JSON.Step?
  /// What was wanted: the name of a Swift type by ``TypeName``, `Date`, or a few words, `a number of at least 3`.
  package var expected: String?
  /// The kinds of JSON value that would have done; none where that is not known.
  package var kinds: [JSON.Kind] = []
  /// The model whose property it is, by ``TypeName``: `User.Address`.
  package var model: String?
  /// The property of ``model``, by its name in Swift: `createdAt` for the key `created_at`.
  package var property: String?
  /// Why a value was refused, in the words of who refused it. May quote the value: shown only where values are.
  package var reason: String?
  /// The strategies that had a say in it: `dateDecodingStrategy = .iso8601`.
  package var strategies: [String] = []
  /// The values that would have done, where there are few, as text without quotation marks: an enumeration's raw values.
  package var choices: [String] = []
  /// What was found, in a few words without a value, where the value's kind does not say it: `number with a fraction`.
  package var detail: String?
  /// Where else the same is wrong, in words: `$[4].id, $[9].id and 3 more`.
  package var elsewhere: String?
  /// The step that the error's path takes from the end of ``steps``, where there is no such value: what is wrong is not there.
  package var leadsNowhere: JSON.Step?
  /// The keys that the model asks for, ``missing`` being one, as the text would have to spell them; none where they are not known.
  package var modelKeys: [String] = []
  /// What the object is that has none of ``modelKeys``.
  var substitute: Substitute?
  /// Where the text itself is broken; ``steps`` are found by it then.
  package var offset: Int?

  /// A problem of kind `code` with the value, or in the container, at the end of `steps`.
  package init(_ code: JSON.Diagnosis.Code, at steps: [JSON.Step], missing: JSON.Step? = nil, expected: String? = nil) {
    self.code = code
    self.steps = steps
    self.missing = missing
    self.expected = expected
  }
}
