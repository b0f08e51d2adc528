/// What a form says at one place: values, elements or members, and more than one of them where names contradict each other.
///
/// Nothing at all is how the form says `nil` and what is empty.
struct FormNode {
  /// The values of the name itself, in their order.
  private(set) var texts: [String] = []
  /// What `[]` added, in its order.
  private(set) var items: [FormNode] = []
  /// The members by their keys, which may be indices.
  private(set) var members: [String: FormNode] = [:]
  /// The keys of the members, in the order in which they came.
  private(set) var keys: [String] = []

  init() {}

  private init(_ text: String) { texts = [text] }

  /// Adds `text` at the end of `steps`.
  ///
  /// - Complexity: O(*s*), *s* the number of steps.
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
      // The last element takes what it does not have yet.
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

/// Reading.
extension FormNode {
  /// Whether the form says nothing here.
  var isAbsent: Bool { texts.isEmpty && items.isEmpty && members.isEmpty }

  /// Whether the form says things here that cannot both be.
  var isContradictory: Bool { [texts.isEmpty, items.isEmpty, members.isEmpty].count { !$0 } > 1 }

  /// The elements: what `[]` added, the members in the order of their indices, or the values; `nil` when a key is no index.
  ///
  /// - Complexity: O(*n* log *n*), *n* the number of elements; indices are compared, never counted up to.
  var elements: [FormNode]? {
    if members.isEmpty { return items.isEmpty ? texts.map(FormNode.init) : items }
    var indices: [(digits: Substring, key: String)] = []
    for key in keys {
      guard key.utf8.allSatisfy({ $0 &- 0x30 <= 9 }) else { return nil }
      indices.append((key.drop { $0 == "0" }, key))
    }
    indices.sort { ($0.digits.utf8.count, $0.digits) < ($1.digits.utf8.count, $1.digits) }
    return indices.compactMap { members[$0.key] }
  }
}
