internal import AnvilBase
internal import AnvilJSON

/// The contents of a form at one position: values, elements or members. Contradictory names produce more than one of them.
///
/// An empty node represents `nil` and empty values.
struct FormNode {
  /// The values of names that end at this position, in order.
  private(set) var texts: [String] = []
  /// The elements added with `[]`, in order.
  private(set) var items: [FormNode] = []
  /// The members by key. A key may be an index.
  private(set) var members: [ScalarKey: FormNode] = [:]
  /// The keys of the members, in the order in which they occur.
  private(set) var keys: [ScalarKey] = []

  init() {}

  private init(_ text: String) { texts = [text] }

  mutating func insert(_ text: String, at steps: ArraySlice<FormStep>) {
    guard let step = steps.first else {
      texts.append(text)
      return
    }
    let rest = steps.dropFirst()
    switch step {
    case .key(let key):
      if members[key] == nil { keys.append(key) }
      members[key, default: FormNode()].insert(text, at: rest)
    case .next:
      // The text belongs to the last element if that element does not have it yet.
      if items.last.map({ $0.texts.isEmpty && !rest.isEmpty && !$0.hasText(at: rest) }) != true {
        items.append(FormNode())
      }
      items[items.count - 1].insert(text, at: rest)
    }
  }

  private func hasText(at steps: ArraySlice<FormStep>) -> Bool {
    guard let step = steps.first else { return !texts.isEmpty }
    guard case .key(let key) = step, let member = members[key] else { return false }
    return member.hasText(at: steps.dropFirst())
  }
}

extension FormNode {
  var isAbsent: Bool { texts.isEmpty && items.isEmpty && members.isEmpty }

  var isContradictory: Bool { [texts.isEmpty, items.isEmpty, members.isEmpty].count { !$0 } > 1 }

  /// The elements: those added with `[]`, the members in the order of their indices, or the values. `nil` if a key is not an index.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of elements, whatever the size of their indices.
  var elements: [FormNode]? {
    if members.isEmpty { return items.isEmpty ? texts.map(FormNode.init) : items }
    var indices: [(digits: Substring, key: ScalarKey)] = []
    for key in keys {
      guard key.string.utf8.allSatisfy({ $0.isDigit }) else { return nil }
      indices.append((key.string.drop { $0 == "0" }, key))
    }
    return indices.sorted(on: { $0.digits }).sorted(on: { $0.digits.utf8.count }).compactMap { members[$0.key] }
  }

  /// Creates the root of the form `data`. Empty data, or data that consists only of `&`, is a form without pairs.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the form is not UTF-8 or exceeds a limit of `format`.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  init(parsing data: Data, for format: URLForm.Decoder) throws {
    self.init()
    var count = 0
    var rest = data[...]
    while !rest.isEmpty {
      let pair = rest.prefix { $0 != .ampersand }
      rest = rest[pair.endIndex...].dropFirst()
      guard !pair.isEmpty else { continue }
      count += 1
      guard count <= format.pairLimit else { throw Self.corrupted("It has more than \(format.pairLimit) pairs.") }
      try insert(pair, number: count, depthLimit: format.effectiveDepthLimit)
    }
  }

  private mutating func insert(_ pair: Data, number: Int, depthLimit: Int) throws {
    let nameBytes = pair.prefix { $0 != .equalsSign }
    guard let name = FormEncoding.decode(nameBytes),
      let text = FormEncoding.decode(pair[nameBytes.endIndex...].dropFirst())
    else { throw Self.corrupted("Pair \(number) is not UTF-8.") }
    let steps = FormStep.steps(of: name)
    guard steps.count <= depthLimit else {
      throw Self.corrupted("The name of pair \(number) has more than \(depthLimit) path components.")
    }
    insert(text, at: steps[...])
  }

  private static func corrupted(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "The form cannot be read. \(reason)"))
  }
}

/// A step of the path given by a name in a form.
enum FormStep: Equatable {
  /// The value of a key, or the element at an index.
  case key(ScalarKey)
  /// A new element of an array: `[]`.
  case next

  /// Returns the steps of `name`, at least one: `user[tags][]` has three. A name with unbalanced brackets is a single key.
  static func steps(of name: String) -> [FormStep] {
    let bytes = name.utf8
    let whole = [FormStep.key(ScalarKey(name))]
    guard let open = bytes.firstIndex(of: .openBracket), open > bytes.startIndex else { return whole }
    var steps: [FormStep] = [.key(ScalarKey(String(name[..<open])))]
    var rest = name[open...].utf8
    while rest.popFirst() == .openBracket {
      guard let close = rest.firstIndex(where: { $0 == .openBracket || $0 == .closeBracket }),
        rest[close] == .closeBracket
      else { return whole }
      let key = rest[..<close]
      steps.append(key.isEmpty ? .next : .key(ScalarKey(String(Substring(key)))))
      rest = rest[close...].dropFirst()
      if rest.isEmpty { return steps }
    }
    return whole
  }
}
